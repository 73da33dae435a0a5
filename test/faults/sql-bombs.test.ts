import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { mapAtMost } from '#server/concurrency.ts'
import { type Server, startServer, toEnv } from '../support/app/cli.ts'
import { OWNER } from '../support/app/owner.ts'
import { storageOptions } from '../support/app/storage.ts'
import { BOMBS, ENDLESS } from '../support/data/sql-bombs.ts'
import { until } from '../support/until.ts'

/** The last is larger than most texts may be. */
const SIZES = [2, 9, 25, 110, 600, 2000]
const MAX_TEXT = 20_000

/** The memory of the idle server, of DuckDB and of what allocators keep. */
const MAX_MB = 600

const SQL = 'query'

/** Every family in several sizes; those that run until they are stopped, in one. */
const statements = Object.entries(BOMBS).flatMap(([name, bomb]) =>
  (name in ENDLESS ? [18] : SIZES).flatMap((size) => {
    const text = bomb(size)
    return text.length > MAX_TEXT ? [] : [{ name: `${name}, ${size}`, text }]
  }),
)

const ask = (server: Server, key: string, query: string) =>
  server.call(key, SQL, 'POST', { query: { kind: 'HogQLQuery', query }, refresh: 'blocking' })

const megabytesOf = (server: Server): number =>
  Number(
    /VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${server.process.pid}/status`, 'utf8'))?.[1] ?? 0,
  ) / 1024

async function createKey(server: Server, label: string): Promise<string> {
  const body = { label, scopes: ['query:read'] }
  return (await server.call(OWNER.apiKey, '/api/personal_api_keys', 'POST', body)).body.value
}

async function addEvents(server: Server): Promise<void> {
  const project = await server.call(OWNER.apiKey, '/api/projects/1')
  const batch = Array.from({ length: 500 }, (_, n) => ({
    event: `event ${n % 7}`,
    distinct_id: `person ${n % 50}`,
    properties: { amount: n, plan: 'pro', p1: 'a'.repeat(1000), p2: `${n}` },
  }))
  const sent = await server.call('', '/batch', 'POST', { api_key: project.body.api_token, batch })
  expect(sent.status).toBe(200)
}

describe('hostile SQL', () => {
  it.each(['sqlite', 'postgres'] as const)(
    'ends within its limits on %s, and the server keeps running',
    async (database) => {
      const server = await startServer(toEnv(await storageOptions(database)))
      await addEvents(server)
      const [attacker, other] = [await createKey(server, 'a'), await createKey(server, 'b')]

      const outcomes = await mapAtMost(2, statements, async ({ name, text }) => {
        const { status, body } = await ask(server, attacker, text)
        return { name, status, detail: String(body.detail) }
      })

      const wrong = outcomes.filter(
        ({ status, detail }) =>
          ![200, 400].includes(status) &&
          !(
            status === 503 &&
            /took more than 20 s|more memory than|could not be stopped/.test(detail)
          ),
      )
      expect(statements.length).toBeGreaterThan(300)
      expect(wrong).toEqual([])
      expect(outcomes.some(({ status }) => status === 200)).toBe(true)
      expect(await ask(server, other, 'select 1 + 1')).toMatchObject({
        status: 200,
        body: { results: [[2]] },
      })
      // on a busy machine one may end later than its caller waits, but each ends, and its memory returns
      await until(async () =>
        /^hedgerow_runaway_statements 0$/m.test(
          await (await fetch(`${server.url}/metrics`)).text(),
        ),
      )
      if (process.platform === 'linux') await until(() => megabytesOf(server) < MAX_MB)
      expect(await server.stop()).toBe(0)
    },
    1_800_000,
  )
})
