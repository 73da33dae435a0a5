import { describe, it } from 'vitest'
import { openStorage, type StorageOptions } from '#server/db/open.ts'
import { inSeconds } from '#server/db/values.ts'
import { compileApp } from '#server/runtime/compile.ts'
import { CONFIGS } from '../support/app/app.ts'
import { type Server, startServer, toEnv } from '../support/app/cli.ts'
import { OWNER } from '../support/app/owner.ts'
import { installPlugin } from '../support/app/plugin.ts'
import { storageOptions } from '../support/app/storage.ts'
import { until } from '../support/until.ts'

const APP = `
  export async function runEveryHour() {}
  export async function runEveryDay() {}
`
const TASKS = ['runEveryDay', 'runEveryHour']
const TWO_DAYS_S = 2 * 24 * 3600

/** Moves the stored ticks two days back, as if no server had run since then. */
async function forgetTicks(options: StorageOptions, ...tasks: string[]): Promise<void> {
  const { db, close } = await openStorage(options)
  const tick = inSeconds(-TWO_DAYS_S)
  await db.updateTable('schedule_ticks').set({ tick }).where('task', 'in', tasks).execute()
  const rows = tasks.map((task) => ({ config_id: 1, task, tick }))
  await db
    .insertInto('schedule_ticks')
    .values(rows)
    .onConflict((conflict) => conflict.doNothing())
    .execute()
  await close()
}

/** Storage with an enabled config. */
async function storageWithSchedules(database: 'sqlite' | 'postgres'): Promise<StorageOptions> {
  const options = await storageOptions(database)
  const { db, close } = await openStorage(options)
  const code = await compileApp({ 'index.ts': APP }, 'index.ts')
  const plugin = await installPlugin(db, { code, scheduled_tasks: TASKS })
  await close()
  const server = await startServer(toEnv(options), '--no-worker')
  await server.call(OWNER.apiKey, CONFIGS, 'POST', { plugin, enabled: true })
  await server.stop()
  return options
}

/** Waits until the expected tasks have run. */
const waitForRuns = (server: Server, expected: readonly string[]) =>
  until(async () => {
    const { body } = await server.call(OWNER.apiKey, `${CONFIGS}/1/runs`)
    const ended = body.results.filter((run: { state: string }) => run.state === 'succeeded')
    const names = ended.map((run: { name: string }) => run.name).sort()
    return JSON.stringify(names) === JSON.stringify(expected)
  })

describe.each(['sqlite', 'postgres'] as const)('schedules on %s', (database) => {
  it('catch up once when a server starts, and not again at the next start', async () => {
    const options = await storageWithSchedules(database)
    await forgetTicks(options, ...TASKS)
    await until(() => new Date().getUTCMinutes() < 59, 70) // otherwise the next hour might fire too

    const server = await startServer(toEnv(options))
    await waitForRuns(server, ['runEveryDay', 'runEveryHour'])
    await server.stop('SIGKILL')
    await forgetTicks(options, 'runEveryHour')
    const again = await startServer(toEnv(options))

    await waitForRuns(again, ['runEveryDay', 'runEveryHour', 'runEveryHour'])
  })
})
