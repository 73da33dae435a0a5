import { open, rename, rm, stat, truncate, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { sql } from 'kysely'
import { describe, expect, it } from 'vitest'
import { connectStorage, type StorageOptions } from '#server/db/open.ts'
import {
  type Environment,
  runHedgerow,
  runProcess,
  startServer,
  toEnv,
} from '../support/app/cli.ts'
import { OWNER } from '../support/app/owner.ts'
import { emptyStorage, storageOptions } from '../support/app/storage.ts'
import { newEvent } from '../support/data/events.ts'

type Database = 'sqlite' | 'postgres'

/** Returns the storage of a stopped server, with events. */
async function storageWithEvents(database: Database): Promise<StorageOptions> {
  const options = await storageOptions(database)
  const server = await startServer(toEnv(options))
  const token = (await server.call(OWNER.apiKey, '')).body.api_token
  const { uuid, event, distinct_id } = newEvent()
  const batch = Array.from({ length: 500 }, (_, n) => ({ event, distinct_id, properties: { n } }))
  const body = { api_key: token, batch: [{ uuid, event, distinct_id }, ...batch] }
  expect((await server.call('', '/batch/', 'POST', body)).status).toBe(200)
  expect((await server.call(OWNER.apiKey, 'events')).status).toBe(200)
  expect(await server.stop()).toBe(0)
  return options
}

const eventsOf = ({ dataFolder }: StorageOptions) => join(dataFolder, 'events.duckdb')

async function overwrite(path: string, at: number, length: number): Promise<void> {
  const file = await open(path, 'r+')
  await file.write(Buffer.alloc(length, 7), 0, length, at)
  await file.close()
}

const execute = async (options: StorageOptions, text: string) => {
  const { db, close } = await connectStorage(options)
  await sql.raw(text).execute(db)
  await close()
}

async function executeInEvents(options: StorageOptions, ...statements: string[]): Promise<void> {
  const { DuckDBInstance } = await import('@duckdb/node-api')
  const instance = await DuckDBInstance.create(eventsOf(options))
  const connection = await instance.connect()
  for (const statement of statements) await connection.run(statement)
  connection.closeSync()
  instance.closeSync()
}

type Damage = (options: StorageOptions) => Promise<unknown>

const DAMAGES: [string, Database, RegExp, Damage][] = [
  ['the event file is gone', 'sqlite', /missing: there is no/, (options) => rm(eventsOf(options))],
  ['the event file is empty', 'sqlite', /are damaged/, (options) => truncate(eventsOf(options), 0)],
  [
    'the event file is cut',
    'sqlite',
    /are damaged/,
    (options) => truncate(eventsOf(options), 300_000),
  ],
  [
    'its header is damaged',
    'sqlite',
    /are damaged/,
    (options) => overwrite(eventsOf(options), 0, 64),
  ],
  [
    'its contents are damaged',
    'sqlite',
    /are damaged/,
    async (options) => {
      const { size } = await stat(eventsOf(options))
      await overwrite(eventsOf(options), 12_288, size - 12_288)
    },
  ],
  [
    'its write-ahead log is damaged',
    'sqlite',
    /are damaged/,
    (options) => writeFile(`${eventsOf(options)}.wal`, 'a'.repeat(5000)),
  ],
  [
    'the database is gone',
    'sqlite',
    /belong to another database/,
    ({ dataFolder }) => rm(join(dataFolder, 'hedgerow.db')),
  ],
  [
    'the events are of another installation',
    'sqlite',
    /belong to another database/,
    async (options) => rename(eventsOf(await storageWithEvents('sqlite')), eventsOf(options)),
  ],
  [
    'the tables of the events are gone',
    'postgres',
    /missing: there is no/,
    (options) => execute(options, 'drop table events, event_keys, event_versions, event_store'),
  ],
  [
    'the events are of another database',
    'postgres',
    /belong to another database/,
    (options) => execute(options, "update event_store set installation = 'another'"),
  ],
  [
    'a newer version has stored the events',
    'sqlite',
    /stored by a newer version of Hedgerow\. Start the newer version, or restore a backup/,
    (options) =>
      executeInEvents(
        options,
        'update meta set schema_version = 2',
        'alter table events rename to event_log',
      ),
  ],
  [
    'a newer version has stored the events',
    'postgres',
    /stored by a newer version of Hedgerow\. Start the newer version, or restore a backup/,
    async (options) => {
      await execute(options, 'update event_store set schema_version = 4')
      await execute(options, 'alter table events drop column distinct_id')
    },
  ],
]

async function expectRefused(env: Environment, expected: RegExp): Promise<void> {
  const { code, stderr } = await runProcess(['serve'], { HEDGEROW_PORT: '0', ...env })
  expect([code, stderr.trimEnd().split('\n')]).toEqual([1, [expect.stringMatching(expected)]])
}

describe('a server does not start when', () => {
  it.each(DAMAGES)('%s (%s)', async (_name, database, expected, damage) => {
    const options = await storageWithEvents(database)
    await damage(options)

    await expectRefused(toEnv(options), expected)

    const doctor = await runHedgerow(['doctor', '--json'], {
      HEDGEROW_PORT: '0',
      ...toEnv(options),
    })
    const { checks } = doctor.json
    expect(checks.find(({ name }: { name: string }) => name === 'events')).toMatchObject({
      ok: false,
      detail: expect.stringMatching(expected),
    })
    await expectRefused(toEnv(options), expected)
  })

  it('the database is gone beside events of a version without markers', async () => {
    const options = await storageWithEvents('sqlite')
    await withoutMarkers(options)
    await rm(join(options.dataFolder, 'hedgerow.db'))

    await expectRefused(toEnv(options), /belong to another database/)
    await expectRefused(toEnv(options), /belong to another database/)
  })
})

/** Removes the markers, which earlier versions did not write. */
async function withoutMarkers(options: StorageOptions): Promise<void> {
  if (options.databaseUrl)
    await execute(options, 'alter table event_store drop column installation')
  else await executeInEvents(options, 'alter table meta drop column installation')
  await execute(options, 'drop table installation')
  await execute(options, "delete from schema_migrations where name like '%-installation'")
}

describe('a server starts', () => {
  it.each(['sqlite', 'postgres'] as const)(
    'on %s of a version without markers',
    async (database) => {
      const options = await storageWithEvents(database)
      await withoutMarkers(options)

      const server = await startServer(toEnv(options))

      const { body } = await server.call(OWNER.apiKey, 'events?limit=1000')
      expect(body.results).toHaveLength(501)
    },
  )

  it('without its lost events once the operator confirms it', async () => {
    const options = await storageWithEvents('sqlite')
    const env = toEnv(options)
    expect((await runHedgerow(['events', 'forget'], env)).stderr).toMatch(
      /^hedgerow: There are events in/,
    )
    await rm(eventsOf(options))

    expect((await runHedgerow(['events', 'forget'], env)).code).toBe(0)

    const server = await startServer(env)
    expect((await server.call(OWNER.apiKey, 'events')).body.results).toEqual([])
    expect((await fetch(`${server.url}/_ready`)).status).toBe(200)
  })

  it('and becomes not ready when its events disappear', async () => {
    const options = await storageWithEvents('sqlite')
    const server = await startServer(toEnv(options))
    expect((await fetch(`${server.url}/_ready`)).status).toBe(200)

    await rm(eventsOf(options))

    const response = await fetch(`${server.url}/_ready`)
    expect([response.status, response.headers.get('retry-after')]).toEqual([503, '5'])
  })
})

describe('a second server on a data folder', () => {
  it('does not start, but the command line works, and a killed server leaves no lock', async () => {
    const env = toEnv(await emptyStorage('sqlite'))
    const first = await startServer(env)

    await expectRefused(env, /^hedgerow: Another server or command uses the data folder .* Stop it/)
    expect((await runHedgerow(['project', 'list'], env)).code).toBe(0)
    expect((await runHedgerow(['doctor', '--json'], { HEDGEROW_PORT: '0', ...env })).code).toBe(0)

    await first.stop('SIGKILL')
    const second = await startServer(env)
    expect((await fetch(`${second.url}/_ready`)).status).toBe(200)
  })
})
