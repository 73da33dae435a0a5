import { describe, expect, it } from 'vitest'
import { CONFIGS, startApp, type TestApp } from '../../../../test/support/app/app.ts'
import { installPlugin } from '../../../../test/support/app/plugin.ts'
import { queueRun } from '../queue/store.ts'
import { toPeriodicTicks } from '../schedules/ticks.ts'
import { judge } from './health.ts'

const HEALTH = `${CONFIGS}/1/health`
const MINUTE = 60_000
const HOUR = 60 * MINUTE

const at = (msAgo: number): string => new Date(Date.now() - msAgo).toISOString()

/** Starts with an hourly import that was enabled long ago. */
async function startHourly(): Promise<TestApp> {
  const api = await startApp()
  const plugin = await installPlugin(api.db, { scheduled_tasks: ['runEveryHour'] })
  await api.post(CONFIGS, { plugin, enabled: true, name: 'Orders' })
  await api.db
    .updateTable('plugin_configs')
    .set({ scheduled_from: at(1000 * HOUR) })
    .execute()
  return api
}

type End = readonly [state: 'succeeded' | 'failed', msAgo: number, more?: object]

async function endRuns({ db }: TestApp, ends: readonly End[]): Promise<void> {
  for (const [state, msAgo, more] of ends) {
    const run = { project_id: 1, config_id: 1, plugin_id: 1, kind: 'schedule' as const }
    const { id } = await queueRun(db, {
      ...{ ...run, name: 'runEveryHour', payload: undefined, created_by: null },
    })
    await db
      .updateTable('runs')
      .set({ state, created_at: at(msAgo), finished_at: at(msAgo), ...more })
      .where('id', '=', id)
      .execute()
  }
}

describe('the health of an import', () => {
  it('is that it never ran, at first', { tags: 'sql' }, async () => {
    const api = await startApp()
    const plugin = await installPlugin(api.db, { scheduled_tasks: ['runEveryDay'] })
    const { body: config } = await api.post(CONFIGS, { plugin, enabled: true, name: 'Orders' })

    const { body } = await api.get(HEALTH)

    expect(body).toMatchObject({
      ...{ config_id: 1, name: 'Orders', state: 'never_ran', since: config.created_at },
      ...{ last_success_at: null, failures_in_a_row: 0, events: 0, skipped: 0, message: '' },
    })
    expect(Date.parse(body.next_run_at)).toBeGreaterThan(Date.now())
  })

  it('is healthy since the first success after a failure', { tags: 'sql' }, async () => {
    const api = await startHourly()
    await endRuns(api, [
      ['succeeded', 9 * HOUR],
      ['failed', 3 * HOUR],
      ['succeeded', 2 * HOUR],
      ['succeeded', 10 * MINUTE, { events: 7, skipped: 2 }],
    ])

    const { body } = await api.get(HEALTH)

    expect(body).toMatchObject({ state: 'healthy', failures_in_a_row: 0, events: 7, skipped: 2 })
    expect(Date.now() - Date.parse(body.since)).toBeGreaterThanOrEqual(2 * HOUR)
    expect(Date.now() - Date.parse(body.since)).toBeLessThan(3 * HOUR)
  })

  it('is failing since the first failure after a success', { tags: 'sql' }, async () => {
    const api = await startHourly()
    await endRuns(api, [
      ['succeeded', 5 * HOUR],
      ['failed', 4 * HOUR, { message: 'The key has expired.' }],
      ['failed', 10 * MINUTE, { message: 'The key was revoked.' }],
      ['succeeded', MINUTE, { dry_run: 1 }],
    ])

    const { body } = await api.get(HEALTH)

    const message = 'The key was revoked.'
    expect(body).toMatchObject({ state: 'failing', failures_in_a_row: 2, message })
    expect(Date.now() - Date.parse(body.since)).toBeGreaterThanOrEqual(4 * HOUR)
  })

  it('is stale after two ticks without a success', { tags: 'sql' }, async () => {
    const api = await startHourly()
    await endRuns(api, [['succeeded', 5 * HOUR]])

    expect((await api.get(HEALTH)).body).toMatchObject({ state: 'stale' })

    await api.patch(`${CONFIGS}/1/schedule`, { expected_every: '6h' })
    expect((await api.get(HEALTH)).body).toMatchObject({ state: 'healthy' })
    await api.patch(`${CONFIGS}/1`, { enabled: false })
    expect((await api.get(HEALTH)).body).toMatchObject({ state: 'paused', since: null })
  })

  it('names the events that it captures', async () => {
    const api = await startHourly()
    const event_shape = JSON.stringify({ order: { total: 'number' }, refund: {} })
    await api.db.updateTable('plugin_configs').set({ event_shape }).execute()

    expect((await api.get(HEALTH)).body.event_names).toEqual(['order', 'refund'])
  })

  it('is listed for all configs in their order', { tags: 'sql' }, async () => {
    const api = await startHourly()
    await api.post(CONFIGS, { plugin: 4, order: -1, name: 'First' })
    await api.post(CONFIGS, { plugin: 4, deleted: true })
    await endRuns(api, [['succeeded', MINUTE]])

    const { body } = await api.get('/api/projects/1/import_health')

    expect(body.count).toBe(2)
    expect(body.results).toMatchObject([
      { name: 'First', state: 'paused' },
      { name: 'Orders', state: 'healthy' },
    ])
  })
})

describe('an import is late', () => {
  const NOON = Date.parse('2024-05-01T12:00:00Z')
  const scheduled_from = new Date(NOON).toISOString()
  const runs = [{ kind: 'schedule' as const, name: 'x', ticks: toPeriodicTicks(HOUR) }]
  const history = { lastSuccess: undefined, lastFailure: undefined, failuresInARow: 0, since: null }
  const stateAt = (time: number, expected_every: string | null = null, ran = runs) =>
    judge({ enabled: 1, scheduled_from, expected_every }, ran, history, time).state

  it('a minute after its second tick', () => {
    expect(stateAt(NOON + 2 * HOUR + MINUTE)).toBe('never_ran')
    expect(stateAt(NOON + 2 * HOUR + MINUTE + 1)).toBe('stale')
  })

  it('after the time that is expected of it', () => {
    expect(stateAt(NOON + 30 * MINUTE, '30m')).toBe('never_ran')
    expect(stateAt(NOON + 30 * MINUTE + 1, '30m')).toBe('stale')
  })

  it('never, if it has no schedule', () => {
    expect(stateAt(NOON + 10_000 * HOUR, null, [])).toBe('never_ran')
  })
})
