import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import pg from 'pg'
import { describe, expect, it, onTestFinished } from 'vitest'
import { lockDataFolder } from '#server/db/folder-lock.ts'
import { runHedgerow, startServer, toEnv } from '../support/app/cli.ts'
import { emptyStorage, storageOptions } from '../support/app/storage.ts'
import { backUp, fill, readContent, temporaryFolder } from '../support/data/backups.ts'
import { until } from '../support/until.ts'

const BUSY = /hedgerow: (Another server or command uses|A command that needs the database) .*\n$/

/** Keeps a restore into the database waiting, until the returned function is called. */
async function stopMigrations(url: string) {
  const client = new pg.Client(url)
  await client.connect()
  await client.query("select pg_advisory_lock(hashtext('hedgerow migrations'))")
  onTestFinished(() => client.end())
  return Object.assign(
    () => client.query("select pg_advisory_unlock(hashtext('hedgerow migrations'))"),
    {
      isAwaited: async () =>
        (await client.query('select from pg_locks where not granted')).rowCount === 1,
    },
  )
}

describe('hedgerow move', () => {
  it('moves everything to PostgreSQL and on to a data folder, and says what to set', async () => {
    const options = await storageOptions('sqlite')
    await fill(options)
    const content = await readContent(await backUp(options, '--with-key'))
    const { databaseUrl } = await emptyStorage('postgres')
    const onPostgres = { ...options, databaseUrl }
    const folder = join(await temporaryFolder(), 'new')

    const there = await runHedgerow(['move', '--to', databaseUrl as string], toEnv(options))
    const back = await runHedgerow(['move', '--to', folder, '--json'], toEnv(onPostgres))

    expect(there.code, there.stderr).toBe(0)
    expect(there.stderr).toBe('100 %, 3 of 3 events read\n100 %, 3 of 3 events written\n')
    expect(there.stdout).toContain('Set DATABASE_URL to the new database, then start the server.')
    expect(there.stdout).toContain(
      'When the new one works, delete hedgerow.db and events.duckdb, but keep secret.key.\n',
    )
    expect(back.code, back.stderr).toBe(0)
    const next = `Set HEDGEROW_DATA=${folder}, unset DATABASE_URL, then start the server.`
    expect(back.json).toEqual({ events: 3, next })
    const moved = { dataFolder: folder, databaseUrl: undefined }
    for (const storage of [options, onPostgres, moved]) {
      expect(await readContent(await backUp(storage, '--with-key'))).toEqual(content)
      const names = await readdir(storage.dataFolder)
      expect(names.filter((name) => /unfinished|tmp|\.tar/.test(name))).toEqual([])
    }
  })

  it.each(['sqlite', 'postgres'] as const)(
    'keeps servers from starting on %s until the target is complete',
    async (database) => {
      const source = await storageOptions(database)
      const { databaseUrl = '' } = await emptyStorage('postgres')
      const release = await stopMigrations(databaseUrl)

      const moving = runHedgerow(['move', '--to', databaseUrl], toEnv(source))
      await until(() => release.isAwaited())
      const starting = await startServer(toEnv(source)).catch(({ message }: Error) => message)
      await release()

      expect(starting).toMatch(BUSY)
      expect((await moving).code).toBe(0)
    },
  )

  it('is refused while a server runs, if the target is not empty, and for unknown addresses', async () => {
    const options = await storageOptions('sqlite')
    const other = await storageOptions('sqlite')
    const run = async (to: string) =>
      (await runHedgerow(['move', '--to', to], toEnv(options))).stderr

    expect(await run(other.dataFolder)).toMatch(/is not empty\. Choose another target\.\n$/)
    expect(await run(options.dataFolder)).toMatch(/is not empty\. Choose another target\.\n$/)
    expect(await run('mysql://a/b')).toMatch(
      /--to must be postgres:\/\/\.\.\. or a folder\. See --help\.\n$/,
    )
    onTestFinished(lockDataFolder(options.dataFolder))
    const parent = await temporaryFolder()
    expect(await run(join(parent, 'new'))).toMatch(/Another server or command uses/)
    expect(await readdir(parent)).toEqual([])
  })

  const POSTGRES = 'postgres://jo:hush@127.0.0.1:1/db'
  const CLICKHOUSE = 'clickhouse://jo:hush@127.0.0.1:1/db'

  it.each([
    [['--to', 'mysql://jo:hush@a/b'], '--to must be postgres://... or a folder'],
    [['--to', ''], '--to must be postgres://... or a folder'],
    [['--to', CLICKHOUSE], '--to must be postgres://... or a folder'],
    [
      ['--to', 'folder', '--events-to', CLICKHOUSE],
      '--events-to needs --to postgres://...: events pass through PostgreSQL',
    ],
    [
      ['--to', POSTGRES, '--events-to', 'http://jo:hush@a/b'],
      '--events-to must start with clickhouse://, or with clickhouses:// for TLS',
    ],
    [
      ['--to', POSTGRES, '--events-to', 'clickhouse://jo:hush@a/'],
      '--events-to must end with the name of a database, as in clickhouse://user:password@host:8123/database; the name has only letters, digits and _',
    ],
    [['--to', POSTGRES, '--events-cluster', 'main'], '--events-cluster needs --events-to'],
    [
      ['--to', POSTGRES, '--events-to', CLICKHOUSE, '--events-cluster', 'a b'],
      '--events-cluster must have only letters, digits and _, not "a b"',
    ],
  ])('refuses %j without repeating a password', async (args, problem) => {
    const { code, stdout, stderr } = await runHedgerow(['move', ...args])

    expect({ code, stdout }).toEqual({ code: 2, stdout: '' })
    expect(stderr).toBe(`hedgerow: ${problem}. See --help.\n`)
  })
})
