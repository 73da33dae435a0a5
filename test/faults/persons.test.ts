import { randomUUID } from 'node:crypto'
import { join } from 'node:path'
import fc from 'fast-check'
import { sql } from 'kysely'
import { describe, expect, it } from 'vitest'
import { EVENTS_FILE } from '#server/analytics/duckdb/file.ts'
import type { NewEvent } from '#server/analytics/event-store.ts'
import { openEventStore } from '#server/analytics/open.ts'
import { openStorage, type StorageOptions } from '#server/db/open.ts'
import { expectGroups, findGroups } from '../reference/find-groups.ts'
import { expectPersons, findPersons } from '../reference/find-persons.ts'
import { visitorEvent } from '../reference/visitors.ts'
import { type Server, startServer, toEnv } from '../support/app/cli.ts'
import { OWNER } from '../support/app/owner.ts'
import { storageOptions } from '../support/app/storage.ts'
import type { Database } from '../support/data/events.ts'

const BATCH_SIZE = 5

/** Sends events from several clients to each server at once. Kills the servers when `acknowledged` are stored. */
async function sendUntilKilled(
  servers: readonly Server[],
  events: readonly NewEvent[],
  acknowledged: number,
): Promise<NewEvent[]> {
  const token = await readToken(servers[0] as Server)
  const stored: NewEvent[] = []
  let sent = 0
  const send = async (server: Server) => {
    for (;;) {
      const batch = events.slice(sent, sent + BATCH_SIZE)
      sent += BATCH_SIZE
      await sendBatch(server, token, batch)
      stored.push(...batch)
      if (stored.length < acknowledged) continue
      await Promise.all(servers.map((each) => each.stop('SIGKILL')))
      return
    }
  }
  /** Makes the server derive the persons of the latest events. */
  const read = async (server: Server) => {
    for (;;) await server.call(OWNER.apiKey, 'events?limit=1')
  }
  const isCut = (error: unknown) =>
    expect(error).toMatchObject({ message: /fetch failed|terminated/ })
  const clients = servers.flatMap((server) => [...[1, 2, 3].map(() => send(server)), read(server)])
  await Promise.all(clients.map((client) => client.catch(isCut)))
  return stored
}

const readToken = async (server: Server): Promise<string> =>
  (await server.call(OWNER.apiKey, '')).body.api_token

async function sendBatch(server: Server, api_key: string, events: readonly NewEvent[]) {
  const batch = events.map((event) => ({ ...event, properties: JSON.parse(event.properties) }))
  expect((await server.call('', '/batch/', 'POST', { api_key, batch })).status).toBe(200)
}

interface LogRow extends Omit<NewEvent, 'timestamp'> {
  readonly milliseconds: number
}

/** Reads the persons of the only project and its events, in the order in which they arrived. */
async function readStored(options: StorageOptions) {
  const { db, close } = await openStorage(options)
  const store = openEventStore({ ...options, db })
  const found = await findPersons(store, 1)
  const groups = await findGroups(store, 1)
  await store.close()
  const rows = options.databaseUrl
    ? (await sql<LogRow>`${sql.raw(LOG)}`.execute(db)).rows
    : await readFile(join(options.dataFolder, EVENTS_FILE))
  await close()
  const log = rows.map(
    ({ milliseconds, ...event }): NewEvent => ({
      ...event,
      timestamp: new Date(milliseconds).toISOString(),
    }),
  )
  return { found, groups, log }
}

/** Runs on both databases. */
const LOG = `select events.uuid::text as uuid, events.event, events.distinct_id, events.properties::text as properties,
  round(extract(epoch from events.timestamp) * 1000)::double precision as milliseconds
  from events join facts on facts.uuid = events.uuid order by facts.seq`

async function readFile(path: string): Promise<LogRow[]> {
  const { DuckDBInstance } = await import('@duckdb/node-api')
  const instance = await DuckDBInstance.create(path)
  const connection = await instance.connect()
  const reader = await connection.runAndReadAll(LOG)
  connection.closeSync()
  instance.closeSync()
  return reader.getRowObjectsJS() as unknown as LogRow[]
}

describe.each<[Database, number]>([
  ['sqlite', 1],
  ['postgres', 2],
])('servers on %s that are killed while people sign in (%d)', (database, count) => {
  it('derive the persons and groups of every acknowledged event exactly once', async () => {
    const options = await storageOptions(database)
    const start = () => startServer(toEnv(options))
    const acknowledged: NewEvent[] = []

    for (const seed of [1, 2, 3]) {
      const servers = await Promise.all(Array.from({ length: count }, start))
      const generated = fc.sample(visitorEvent, { numRuns: 1000, seed })
      const events = generated.map((event) => ({ ...event, uuid: randomUUID() }))
      acknowledged.push(...(await sendUntilKilled(servers, events, 300)))
    }
    const last = await start()
    const again = acknowledged.slice(-400)
    await sendBatch(last, await readToken(last), again)
    expect(await last.stop()).toBe(0)

    const { found, groups, log } = await readStored(options)
    const stored = log.map(({ uuid }) => uuid)
    expect(acknowledged.length).toBeGreaterThanOrEqual(900)
    expect(acknowledged.filter(({ uuid }) => !stored.includes(uuid))).toEqual([])
    expect(new Set(stored).size).toBe(stored.length)
    expect(found).toEqual(expectPersons(log))
    expect(groups).toEqual(expectGroups(log))
  })
})
