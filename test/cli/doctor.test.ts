import { existsSync } from 'node:fs'
import { chmod, writeFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { sql } from 'kysely'
import { describe, expect, it, onTestFinished } from 'vitest'
import { SQLITE_FILE } from '#server/db/connect-sqlite.ts'
import { connectStorage, type StorageOptions } from '#server/db/open.ts'
import { startApp } from '../support/app/app.ts'
import { type Environment, runHedgerow, toEnv } from '../support/app/cli.ts'
import { emptyStorage, storageOptions } from '../support/app/storage.ts'
import { insertConfigs } from '../support/data/secret-configs.ts'

describe('hedgerow doctor', () => {
  it.each(['sqlite', 'postgres'] as const)(
    'finds no problem in a running %s server',
    async (database) => {
      const options = await storageOptions(database)
      const server = await startApp(undefined, {}, options)

      const { code, json } = await examine({
        ...toEnv(options),
        HEDGEROW_PORT: new URL(server.url).port,
      })

      expect({ code, ok: json.ok, wrong: json.wrong }).toEqual({ code: 0, ok: true, wrong: [] })
      expect(json.details).toMatchObject({
        schema: 'up to date',
        server: `running at ${server.url}`,
        'secret key': expect.stringContaining('secret.key matches'),
      })
    },
  )

  it('prints aligned lines', async () => {
    const env = toEnv(await storageOptions('sqlite'))

    const { code, stdout } = await runHedgerow(['doctor'], { ...env, HEDGEROW_PORT: '0' })

    expect(code).toBe(0)
    expect(stdout).toMatch(/^✓ version {8}\d+\.\d+\.\d+, commit \S+, schema \d{4}-/)
    expect(stdout).toMatch(/^✓ Node {11}26\./m)
    expect(stdout).toMatch(/^✓ integrity {6}ok$/m)
    expect(stdout.trimEnd().split('\n')).toHaveLength(13)
  })

  it('creates nothing before the first start', async () => {
    const options = await emptyStorage('sqlite')

    const { code, json } = await examine(toEnv(options))

    expect(code).toBe(0)
    expect(json.details.database).toMatch(/created at the first start/)
    expect(existsSync(options.dataFolder)).toBe(false)
  })

  it('warns if other users can read the secret key', async () => {
    const options = await storageOptions('sqlite')
    const file = join(options.dataFolder, 'secret.key')
    await insertConfigs(options, 1)
    await chmod(file, 0o644)

    const { code, json } = await examine(toEnv(options))

    expect(code).toBe(0)
    expect(json.details['secret key']).toContain(`chmod 600 ${file}`)
  })

  it('warns if other users can open the data folder', async () => {
    const options = await storageOptions('sqlite')
    await chmod(options.dataFolder, 0o755)

    const { code, json } = await examine(toEnv(options))

    expect(code).toBe(0)
    expect(json.details['data folder']).toContain(`chmod 700 ${options.dataFolder}`)
  })

  it('lists every problem of the configuration', async () => {
    const { code, json } = await examine({ HEDGEROW_PORT: 'x', DATABASE_URL: 'mysql://x' })

    expect(code).toBe(1)
    expect(json.wrong).toEqual(['configuration'])
    expect(json.details.configuration).toMatch(/HEDGEROW_PORT.*DATABASE_URL/)
  })

  it('reports a data folder that is a file', async () => {
    const options = await storageOptions('sqlite')
    await writeFile(join(options.dataFolder, 'file'), '')

    const { code, json } = await examine({ HEDGEROW_DATA: join(options.dataFolder, 'file') })

    expect({ code, wrong: json.wrong }).toEqual({ code: 1, wrong: ['data folder'] })
  })

  it('reports dangling references', async () => {
    const options = await storageOptions('sqlite')
    const orphan = sql`insert into project_members values (7, 1, '', 'member')`
    await change(options, sql`pragma foreign_keys = off`, orphan)

    const { code, json } = await examine(toEnv(options))

    expect({ code, wrong: json.wrong }).toEqual({ code: 1, wrong: ['references'] })
    expect(json.details.references).toContain('project_members')
  })

  it('reports an index that does not match its table', async () => {
    const options = await storageOptions('sqlite')
    await change(options, sql`insert into project_members values (1, 1, '', 'member')`)
    const file = new DatabaseSync(join(options.dataFolder, SQLITE_FILE), { defensive: false })
    const other = `replace(sql, '(user_id)', '(added_at)') where name = 'project_members_user'`
    file.exec(`pragma writable_schema = on; update sqlite_schema set sql = ${other}`)
    file.close()

    const { code, json } = await examine(toEnv(options))

    expect({ code, wrong: json.wrong }).toEqual({ code: 1, wrong: ['integrity'] })
  })

  it('accepts pending migrations but not a schema that is too new', async () => {
    const [older, newer] = [await storageOptions('sqlite'), await storageOptions('postgres')]
    await change(older, sql`delete from schema_migrations`)
    await change(newer, sql`insert into schema_migrations values ('9999-future')`)

    const [waits, refuses] = [await examine(toEnv(older)), await examine(toEnv(newer))]

    expect(waits.code).toBe(0)
    expect(waits.json.details.schema).toMatch(/^Pending migrations: 0001-initial/)
    expect({ code: refuses.code, wrong: refuses.json.wrong }).toEqual({
      code: 1,
      wrong: ['schema'],
    })
  })

  it('reports a last backup that is too old, and why', async () => {
    const options = await storageOptions('sqlite')
    const env = { ...toEnv(options), HEDGEROW_BACKUP_FOLDER: '/nowhere' }
    const before = await examine(env)
    expect(before.json.details.backups).toBe(
      '/nowhere (the first one is made when a server starts)',
    )
    const [at, failed] = ['2026-01-01T00:00:00.000Z', '2026-01-05T00:00:00.000Z']
    await change(
      options,
      sql`insert into scheduled_backups (only_row, since, failed_at, problem)
        values (1, ${at}, ${failed}, 'The disk is full.')`,
    )

    const { code, json } = await examine(env)

    expect({ code, wrong: json.wrong }).toEqual({ code: 1, wrong: ['backups'] })
    expect(json.details.backups).toMatch(
      /^No backup yet, .* too old\. The last attempt failed: The disk is full\. Make one now/,
    )
  })

  it('describes the last backup, and warns if its successor failed', async () => {
    const options = await storageOptions('sqlite')
    const env = { ...toEnv(options), HEDGEROW_BACKUP_FOLDER: '/nowhere' }
    const at = new Date(Date.now() - 3_600_000).toISOString()
    await change(
      options,
      sql`insert into scheduled_backups (only_row, since, claimed_at, succeeded_at, file, bytes, duration_ms)
        values (1, ${at}, ${at}, ${at}, 'a.tar', 2500000, 1200)`,
    )
    const last = 'The last one is from 1 hour ago: a.tar (2.5 MB, 2 s)'
    expect((await examine(env)).json.details.backups).toBe(last)
    const failed = new Date().toISOString()
    await change(
      options,
      sql`update scheduled_backups set failed_at = ${failed}, problem = 'Full.'`,
    )

    const { code, json } = await examine(env)

    expect(code).toBe(0)
    expect(json.details.backups).toBe(`${last}. The last attempt failed: Full.`)
  })

  it('reports a port that another program uses', async () => {
    const port = await listen(404)

    const { code, json } = await examine({
      ...toEnv(await emptyStorage('sqlite')),
      HEDGEROW_PORT: `${port}`,
    })

    expect({ code, wrong: json.wrong }).toEqual({ code: 1, wrong: ['server'] })
  })
})

/** Runs doctor. Returns its findings by name, and the names of the failed checks. */
async function examine(env: Environment) {
  const { code, json } = await runHedgerow(['doctor', '--json'], { HEDGEROW_PORT: '0', ...env })
  const checks: { name: string; ok: boolean; detail: string }[] = json.checks
  const details = Object.fromEntries(checks.map(({ name, detail }) => [name, detail]))
  const wrong = checks.filter(({ ok }) => !ok).map(({ name }) => name)
  return { code, json: { ok: json.ok, details, wrong } }
}

async function change(options: StorageOptions, ...statements: ReturnType<typeof sql>[]) {
  const { db, close } = await connectStorage(options)
  for (const statement of statements) await statement.execute(db)
  await close()
}

async function listen(status: number): Promise<number> {
  const server = createServer((_request, response) => response.writeHead(status).end())
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => void server.close())
  return (server.address() as AddressInfo).port
}
