import { describe, expect, it } from 'vitest'
import { openStorage } from '#server/db/open.ts'
import { compileApp } from '#server/runtime/compile.ts'
import { CONFIGS } from '../support/app/app.ts'
import { type Server, startServer, toEnv } from '../support/app/cli.ts'
import { OWNER } from '../support/app/owner.ts'
import { installPlugin } from '../support/app/plugin.ts'
import { storageOptions } from '../support/app/storage.ts'
import { endLeases } from '../support/data/runs.ts'
import { until } from '../support/until.ts'
import { isFull } from '../support/vitest/effort.ts'

const WINDOWS = isFull ? 365 : 30
const KILLS = isFull ? 50 : 4
const EVENTS_EACH = 4
const FROM = Date.parse('2024-01-01')
const DAY_MS = 86_400_000

/** Takes some time within each window, so that most kills hit one. */
const APP = `
  export async function runBackfill({ from }, { utils }) {
    const day = Date.parse(from) / 86_400_000
    for (let n = 0; n < ${EVENTS_EACH}; n++) {
      const uuid = '00000000-0000-4000-8000-' + String(day * 10 + n).padStart(12, '0')
      await posthog.capture('day', { distinct_id: 'x', timestamp: from, day, n }, { uuid })
      await utils.sleep(10)
    }
  }
`

const countStored = async (server: Server) => {
  const query = { kind: 'HogQLQuery', query: 'select count(), uniq(properties.day) from events' }
  const { body } = await server.call(OWNER.apiKey, 'query', 'POST', { query })
  return body.results[0]
}

describe.each(['sqlite', 'postgres'] as const)('a backfill on %s', (database) => {
  it('stores each event once and repeats no finished window, however often it is killed', {
    timeout: 1_200_000,
  }, async () => {
    const options = await storageOptions(database)
    const storage = await openStorage(options)
    const code = await compileApp({ 'index.ts': APP }, 'index.ts')
    const plugin = await installPlugin(storage.db, { code, methods: ['runBackfill'] })
    await storage.close()
    let server = await startServer(toEnv(options))
    await server.call(OWNER.apiKey, CONFIGS, 'POST', { plugin, enabled: true })
    const to = new Date(FROM + WINDOWS * DAY_MS).toISOString()
    const period = { from: new Date(FROM).toISOString(), to }
    const path = `${CONFIGS}/1/backfill`
    const { body: begun } = await server.call(OWNER.apiKey, path, 'POST', period)
    const reach = (done: number) =>
      until(async () => {
        const { body } = await server.call(OWNER.apiKey, `${CONFIGS}/1/backfills/${begun.id}`)
        expect(['running', 'succeeded']).toContain(body.state)
        return body.windows_done >= done && body
      }, 120)

    for (let kill = 1; kill <= KILLS; kill++) {
      await reach(Math.floor((kill * WINDOWS) / (KILLS + 1)))
      await server.stop('SIGKILL')
      await endLeases(options)
      server = await startServer(toEnv(options))
    }
    const ended = await reach(WINDOWS)

    expect(ended).toMatchObject({ state: 'succeeded', windows: WINDOWS, windows_done: WINDOWS })
    expect(await countStored(server)).toEqual([WINDOWS * EVENTS_EACH, WINDOWS])
    await server.stop()
    const { db, close } = await openStorage(options)
    const runs = await db.selectFrom('runs').select(['payload', 'state', 'attempt']).execute()
    await close()
    expect(runs.map(({ state }) => state)).toEqual(Array(WINDOWS).fill('succeeded'))
    expect(new Set(runs.map(({ payload }) => JSON.parse(payload).from)).size).toBe(WINDOWS)
    expect(runs.some(({ attempt }) => attempt > 1)).toBe(true)
  })
})
