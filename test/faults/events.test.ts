import { randomUUID } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { type Server, startServer, toEnv } from '../support/app/cli.ts'
import { OWNER } from '../support/app/owner.ts'
import { DATABASES, SHARED_DATABASE, storageOptions } from '../support/app/storage.ts'

const EVENTS = 'events'

async function readToken(server: Server): Promise<string> {
  return (await server.call(OWNER.apiKey, '')).body.api_token
}

const batchOf = (api_key: string, uuids: readonly string[]) => ({
  api_key,
  batch: uuids.map((uuid) => ({ uuid, event: 'a', distinct_id: 'b', properties: { n: [1] } })),
})

/** Sends from four clients until `count` events are acknowledged. The kill then interrupts the others. */
async function sendUntilKilled(server: Server, acknowledged: number): Promise<string[]> {
  const token = await readToken(server)
  const stored: string[] = []
  const send = async () => {
    for (;;) {
      const uuids = Array.from({ length: 5 }, () => randomUUID())
      const { status } = await server.call('', '/batch/', 'POST', batchOf(token, uuids))
      expect(status).toBe(200)
      stored.push(...uuids)
      if (stored.length >= acknowledged) await server.stop('SIGKILL')
    }
  }
  const isCut = (error: unknown) =>
    expect(error).toMatchObject({ message: /fetch failed|terminated/ })
  await Promise.all([1, 2, 3, 4].map(() => send().catch(isCut)))
  return stored
}

describe.each(DATABASES)('a server on %s that is killed', (database) => {
  it('keeps every acknowledged event and deduplicates it when it is sent again', async () => {
    const env = toEnv(await storageOptions(database))
    const stored = await sendUntilKilled(await startServer(env), 500)

    const again = await startServer(env)
    const resent = batchOf(await readToken(again), stored)
    expect((await again.call('', '/batch/', 'POST', resent)).status).toBe(200)

    const { body } = await again.call(OWNER.apiKey, `${EVENTS}?limit=1000`)
    const kept = body.results.map(({ id }: { id: string }) => id)
    expect(stored.length).toBeGreaterThanOrEqual(500)
    expect(stored.filter((id) => !kept.includes(id))).toEqual([])
    expect(new Set(kept).size).toBe(kept.length)
  })
})

describe('several servers', () => {
  it(`on one ${SHARED_DATABASE} database store an event once, even if all receive it at the same time`, async () => {
    const env = toEnv(await storageOptions(SHARED_DATABASE))
    const servers = await Promise.all([1, 2, 3].map(() => startServer(env)))
    const token = await readToken(servers[0] as Server)
    const uuids = Array.from({ length: 200 }, () => randomUUID())
    const shuffled = (turn: number) => uuids.toSorted((a, b) => (a < b === turn % 2 > 0 ? 1 : -1))

    const sending = servers.flatMap((server) =>
      [0, 1, 2].map((turn) => server.call('', '/batch/', 'POST', batchOf(token, shuffled(turn)))),
    )

    const responses = await Promise.all(sending)
    expect(new Set(responses.map(({ status }) => status))).toEqual(new Set([200]))
    const { body } = await (servers[1] as Server).call(OWNER.apiKey, `${EVENTS}?limit=1000`)
    expect(body.results.map(({ id }: { id: string }) => id).toSorted()).toEqual(uuids.toSorted())
  })
})
