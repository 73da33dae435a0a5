import { mkdir, open, readdir, readFile, writeFile } from 'node:fs/promises'
import { type AddressInfo, createServer } from 'node:net'
import { join } from 'node:path'
import { sql } from 'kysely'
import { describe, expect, it, onTestFinished } from 'vitest'
import { connectStorage, type StorageOptions } from '#server/db/open.ts'
import {
  type Environment,
  runHedgerow,
  runProcess,
  startServer,
  toEnv,
} from '../support/app/cli.ts'
import { emptyStorage, storageOptions } from '../support/app/storage.ts'

it('deletes what a killed restore has left', async () => {
  const options = await storageOptions('sqlite')
  const folders = ['restore.tmp', 'unfinished-backup-abc'].map((name) =>
    join(options.dataFolder, name),
  )
  for (const folder of folders) {
    await mkdir(folder)
    await writeFile(join(folder, 'events.duckdb'), 'half')
  }

  await startServer(toEnv(options))

  const left = await readdir(options.dataFolder)
  expect(left.filter((name) => /restore|unfinished/.test(name))).toEqual([])
})

it.runIf(process.platform === 'linux')('bounds the memory that threads keep', async () => {
  const server = await startServer({
    ...toEnv(await storageOptions('sqlite')),
    MALLOC_ARENA_MAX: undefined,
  })

  const environment = await readFile(`/proc/${server.process.pid}/environ`, 'utf8')
  expect(environment.split('\0')).toContain('MALLOC_ARENA_MAX=2')
})

describe('a server that cannot start explains in one line that', () => {
  it.each([
    [{ HEDGEROW_PORT: '70000', HEDGEROW_LOG_LEVEL: 'loud' }, /HEDGEROW_PORT.*HEDGEROW_LOG_LEVEL/],
    [{ HEDGEROW_DATA: '/dev/null/x' }, /Cannot use the data folder \/dev\/null\/x.*HEDGEROW_DATA/],
    [{ HEDGEROW_HOST: '203.0.113.7' }, /no address 203\.0\.113\.7\. Set HEDGEROW_HOST/],
    [
      { DATABASE_URL: 'postgres://me:secret@127.0.0.1:1/x' },
      /Cannot reach PostgreSQL at 127.0.0.1:1/,
    ],
  ])('%j', async (env, expected) => {
    const stderr = await fail({ HEDGEROW_DATA: (await emptyStorage('sqlite')).dataFolder, ...env })

    expect(stderr).toMatch(expected)
    expect(stderr).not.toContain('secret')
  })

  it('the port is taken, before it creates the key of a first start', async () => {
    const port = await takePort()
    const env = toEnv(await emptyStorage('sqlite'))

    const stderr = await fail({ ...env, HEDGEROW_PORT: `${port}` })

    expect(stderr).toMatch(`Port ${port} on 127.0.0.1 is in use`)
    expect((await startServer(env)).stdout()).toContain('phx_')
  })

  it('a process ends with 1', async () => {
    expect(
      await runProcess(['serve'], { HEDGEROW_PORT: '0', HEDGEROW_DATA: '/dev/null/x' }),
    ).toMatchObject({
      code: 1,
      stdout: '',
      stderr: expect.stringMatching(/^hedgerow: Cannot use the data folder .*\n$/),
    })
  })

  it('the data folder is a file', async () => {
    const { dataFolder } = await storageOptions('sqlite')
    const file = join(dataFolder, 'file')
    await writeFile(file, 'kept')

    expect(await fail({ HEDGEROW_DATA: file })).toMatch(`Cannot use the data folder ${file}`)
  })

  it('the file is not a database', async () => {
    const { dataFolder } = await emptyStorage('sqlite').then(withFolder)
    await writeFile(join(dataFolder, 'hedgerow.db'), 'a'.repeat(10_000))

    expect(await fail({ HEDGEROW_DATA: dataFolder })).toMatch(/is damaged .* Restore a backup/)
  })

  it('a page of the database is damaged', async () => {
    const { dataFolder } = await storageOptions('sqlite')
    await overwrite(join(dataFolder, 'hedgerow.db'), 4096, 60_000)

    expect(await fail({ HEDGEROW_DATA: dataFolder })).toMatch(/is damaged .* Restore a backup/)
  })

  it.each(['sqlite', 'postgres'] as const)('the schema on %s is newer', async (database) => {
    const options = await storageOptions(database)
    await execute(options, sql`insert into schema_migrations values ('9999-future')`)

    expect(await fail(toEnv(options))).toMatch(/has a newer schema \(9999-future\)/)
  })

  it('the PostgreSQL user may not create tables', async () => {
    const options = await emptyStorage('postgres')
    const role = `guest_${process.pid}`
    await execute(options, sql.raw(`create role ${role} login`))
    onTestFinished(() => execute(options, sql.raw(`drop role ${role}`)))
    const databaseUrl = options.databaseUrl?.replace('hedgerow@', `${role}@`)

    expect(await fail(toEnv({ ...options, databaseUrl }))).toMatch(/permission denied for schema/)
  })
})

/** Returns the one line, without a stack, of a server that exits with 1. */
async function fail(env: Environment): Promise<string> {
  const { code, stdout, stderr } = await runHedgerow(['serve'], { HEDGEROW_PORT: '0', ...env })
  expect(stderr).toMatch(/^hedgerow: .*\n$/)
  expect({ code, stdout }).toEqual({ code: 1, stdout: '' })
  return stderr
}

async function execute(options: StorageOptions, statement: ReturnType<typeof sql>): Promise<void> {
  const { db, close } = await connectStorage(options)
  await statement.execute(db)
  await close()
}

async function withFolder(options: StorageOptions): Promise<StorageOptions> {
  await (await connectStorage(options)).close()
  return options
}

async function overwrite(path: string, from: number, to: number): Promise<void> {
  const file = await open(path, 'r+')
  await file.write(Buffer.alloc(to - from, 0xa5), 0, to - from, from)
  await file.close()
}

async function takePort(): Promise<number> {
  const server = createServer()
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => void server.close())
  return (server.address() as AddressInfo).port
}
