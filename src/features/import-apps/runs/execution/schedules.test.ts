import { describe, expect, it } from 'vitest'
import { CONFIGS, startApp, type TestApp } from '../../../../../test/app.ts'
import { installPlugin } from '../../../../../test/plugin.ts'
import { isStale, listTasksAt, queueScheduledRuns } from './schedules.ts'

const at = (text: string): number => Date.parse(text)
const NOON = at('2024-05-01T12:00:00Z')
const MIDNIGHT = at('2024-05-01T00:00:00Z')

/** Config 1 is enabled and fires every minute and every hour; config 2 the same, but is disabled. */
async function startScheduled(): Promise<TestApp> {
  const api = await startApp()
  const plugin = await installPlugin(api.db, {
    scheduled_tasks: ['runEveryMinute', 'runEveryHour', 'runEverySecond'],
  })
  await api.post(CONFIGS, { plugin, enabled: true })
  await api.post(CONFIGS, { plugin })
  return api
}

const runs = (api: TestApp) =>
  api.db.selectFrom('runs').select(['config_id', 'kind', 'name']).orderBy('name').execute()

describe('the tasks that fire', () => {
  it.each<[string, string[]]>([
    ['2024-05-01T12:01:00Z', ['runEveryMinute']],
    ['2024-05-01T12:00:00Z', ['runEveryMinute', 'runEveryHour']],
    ['2024-05-01T00:00:00Z', ['runEveryMinute', 'runEveryHour', 'runEveryDay']],
  ])('at %s are %j', (time, tasks) => {
    expect(listTasksAt(at(time))).toEqual(tasks)
  })

  it.each([
    ['runEveryMinute', 61_000, true],
    ['runEveryMinute', 59_000, false],
    ['runEveryHour', 61_000, false],
    ['runEveryDay', 25 * 3_600_000, true],
  ])('%s is stale after %d ms: %s', (task, waited, stale) => {
    expect(isStale(task, new Date(NOON - waited).toISOString(), NOON)).toBe(stale)
  })
})

describe('a tick', () => {
  it('queues the tasks of enabled configs', async () => {
    const api = await startScheduled()

    expect(await queueScheduledRuns(api.db, NOON)).toBe(2)

    expect(await runs(api)).toEqual([
      { config_id: 1, kind: 'schedule', name: 'runEveryHour' },
      { config_id: 1, kind: 'schedule', name: 'runEveryMinute' },
    ])
  })

  it('fires once, however many servers see it', async () => {
    const api = await startScheduled()

    const made = await Promise.all([1, 2, 3, 4].map(() => queueScheduledRuns(api.db, NOON)))

    expect(made.reduce((sum, count) => sum + count)).toBe(2)
    await api.db.updateTable('runs').set({ state: 'succeeded' }).execute()
    expect(await queueScheduledRuns(api.db, NOON)).toBe(0)
    expect(await queueScheduledRuns(api.db, NOON + 60_000)).toBe(1)
  })

  it('does not pile up behind one that has not ended', async () => {
    const api = await startScheduled()
    await queueScheduledRuns(api.db, NOON)

    expect(await queueScheduledRuns(api.db, NOON + 60_000)).toBe(0)

    expect(await runs(api)).toHaveLength(2)
  })

  it('leaves configs in the trash alone', async () => {
    const api = await startScheduled()
    await api.patch(`${CONFIGS}/1`, { deleted: true })

    expect(await queueScheduledRuns(api.db, MIDNIGHT)).toBe(0)
  })
})
