import { sql } from 'kysely'
import { describe, expect, it } from 'vitest'
import { CONFIGS, startApp, type TestApp } from '../../../../../test/support/app/app.ts'
import { installPlugin, type TestPlugin } from '../../../../../test/support/app/plugin.ts'
import { createScheduler, queueScheduledRuns } from './schedules.ts'

const at = (text: string): number => Date.parse(text)
const MINUTE = 60_000
const HOUR = 60 * MINUTE
const DAY = 24 * HOUR
const NOON = at('2024-05-01T12:00:00Z')
const MIDNIGHT = at('2024-05-02T00:00:00Z')

/** Starts with two configs that have every schedule: 1 is enabled at `from`, 2 is disabled. */
async function startScheduled(from = NOON - 30_000): Promise<TestApp & { plugin: number }> {
  const api = await startApp()
  const plugin = await installPlugin(api.db, {
    scheduled_tasks: ['runEveryMinute', 'runEveryHour', 'runEveryDay', 'runEverySecond'],
  })
  await api.post(CONFIGS, { plugin, enabled: true })
  await api.post(CONFIGS, { plugin })
  const scheduled_from = new Date(from).toISOString()
  await api.db.updateTable('plugin_configs').set({ scheduled_from }).execute()
  await api.db.updateTable('plugins').set({ updated_at: scheduled_from }).execute()
  return { ...api, plugin }
}

/** Returns the queued tasks and ends their runs. */
async function takeRuns(api: TestApp): Promise<string[]> {
  const runs = await api.db
    .updateTable('runs')
    .set({ state: 'succeeded' })
    .where('state', '=', 'queued')
    .returning(['config_id', 'kind', 'name'])
    .execute()
  return runs.map(({ config_id, kind, name }) => `${config_id} ${kind} ${name}`).sort()
}

/** Returns the time from which the config with the newest schedule is scheduled: at the real time, a minute may begin. */
async function newestStart({ db }: TestApp): Promise<number> {
  const { fn } = db
  const { from } = await db
    .selectFrom('plugin_configs')
    .select(fn.max('scheduled_from').as('from'))
    .executeTakeFirstOrThrow()
  return Date.parse(from ?? '')
}

/** Creates the scheduler of a worker with a clock that the test sets. */
const schedulerOf = ({ db, services }: TestApp) => {
  let time = 0
  const poll = createScheduler(db, services.wakeUps, async () => time)
  return (now: number) => {
    time = now
    return poll()
  }
}

const EVERY_MINUTE = '1 schedule runEveryMinute'
const EVERY_HOUR = '1 schedule runEveryHour'
const EVERY_DAY = '1 schedule runEveryDay'
const ALL = [EVERY_DAY, EVERY_HOUR, EVERY_MINUTE]

describe('a tick', () => {
  it('queues the tasks of enabled configs', { tags: 'sql' }, async () => {
    const api = await startScheduled()

    expect(await queueScheduledRuns(api.db, NOON)).toBe(2)

    expect(await takeRuns(api)).toEqual([EVERY_HOUR, EVERY_MINUTE])
  })

  it('fires once for all workers', { tags: 'sql' }, async () => {
    const api = await startScheduled(NOON - 2 * DAY)

    const first = await Promise.all([1, 2, 3, 4].map(() => queueScheduledRuns(api.db, NOON)))
    expect(await takeRuns(api)).toEqual(ALL)
    const second = await Promise.all(
      [1, 2, 3, 4].map(() => queueScheduledRuns(api.db, NOON + MINUTE)),
    )

    expect(first.toSorted()).toEqual([0, 0, 0, 3])
    expect(second.toSorted()).toEqual([0, 0, 0, 1])
    expect(await queueScheduledRuns(api.db, NOON)).toBe(0)
  })

  it('is skipped while the previous run has not ended', { tags: 'sql' }, async () => {
    const api = await startScheduled()
    await queueScheduledRuns(api.db, NOON)

    expect(await queueScheduledRuns(api.db, NOON + MINUTE)).toBe(0)
    await takeRuns(api)

    expect(await queueScheduledRuns(api.db, NOON + MINUTE + 30_000)).toBe(0)
    expect(await queueScheduledRuns(api.db, NOON + 2 * MINUTE)).toBe(1)
  })

  it('ignores configs in the trash', { tags: 'sql' }, async () => {
    const api = await startScheduled()
    await api.patch(`${CONFIGS}/1`, { deleted: true })

    expect(await queueScheduledRuns(api.db, MIDNIGHT)).toBe(0)
  })
})

describe('a schedule', () => {
  it('catches up once after a restart across midnight', async () => {
    const api = await startScheduled(MIDNIGHT - DAY)
    await schedulerOf(api)(MIDNIGHT - MINUTE)
    await takeRuns(api)

    const restarted = schedulerOf(api)
    await restarted(MIDNIGHT + 4000)

    expect(await takeRuns(api)).toEqual(ALL)
    await restarted(MIDNIGHT + 5000)
    expect(await takeRuns(api)).toEqual([])
    await restarted(MIDNIGHT + MINUTE)
    expect(await takeRuns(api)).toEqual([EVERY_MINUTE])
  })

  it('catches up once after days without a worker', async () => {
    const api = await startScheduled(NOON - 30 * DAY)

    await schedulerOf(api)(MIDNIGHT + 7 * HOUR + 1)

    expect(await takeRuns(api)).toEqual(ALL)
  })

  it('fires once when the clock jumps past midnight and back', async () => {
    const api = await startScheduled(MIDNIGHT - MINUTE)
    const poll = schedulerOf(api)
    await poll(MIDNIGHT - 30_000)

    await poll(MIDNIGHT + 90_000)
    expect(await takeRuns(api)).toEqual(ALL)
    await poll(MIDNIGHT - 20_000)
    expect(await takeRuns(api)).toEqual([])

    await poll(MIDNIGHT)
    expect(await takeRuns(api)).toEqual([EVERY_MINUTE])
  })

  it('continues at the next minute when the clock goes back ten minutes', async () => {
    const api = await startScheduled()
    const poll = schedulerOf(api)
    await poll(NOON)
    await takeRuns(api)

    await poll(NOON - 10 * MINUTE + 20_000)
    expect(await takeRuns(api)).toEqual([])

    await poll(NOON - 9 * MINUTE)
    expect(await takeRuns(api)).toEqual([EVERY_MINUTE])
    await schedulerOf(api)(NOON - 9 * MINUTE + 1)
    expect(await takeRuns(api)).toEqual([])
    await poll(NOON)
    expect(await takeRuns(api)).toEqual([EVERY_MINUTE])
  })

  it('retries a tick whose run could not be queued', async () => {
    const api = await startScheduled()
    const poll = createScheduler(api.db, api.services.wakeUps, async () => NOON)
    await sql`alter table schedule_ticks rename to away`.execute(api.db)
    await expect(poll()).rejects.toThrow('schedule_ticks')

    await sql`alter table away rename to schedule_ticks`.execute(api.db)
    await poll()

    expect(await takeRuns(api)).toEqual([EVERY_HOUR, EVERY_MINUTE])
  })

  it.each<[string, object, (plugin: number) => object]>([
    ['enabled again', { enabled: false }, () => ({ enabled: true })],
    ['restored', { deleted: true }, () => ({ deleted: false, enabled: true })],
    ['switched to another app and back', { plugin: 4 }, (plugin) => ({ plugin })],
  ])('of a config that is %s does not catch up', async (_, away, back) => {
    const api = await startScheduled(NOON)
    await api.patch(`${CONFIGS}/1`, away)
    await api.patch(`${CONFIGS}/1`, back(api.plugin))
    const start = await newestStart(api)

    await queueScheduledRuns(api.db, start)
    expect(await takeRuns(api)).toEqual([])

    await queueScheduledRuns(api.db, start + MINUTE)
    expect(await takeRuns(api)).toContain(EVERY_MINUTE)
  })

  it('of a new config or a new task does not catch up', async () => {
    const api = await startScheduled(NOON)
    await queueScheduledRuns(api.db, Date.now())
    await takeRuns(api)
    await api.db.deleteFrom('schedule_ticks').where('task', '=', 'runEveryDay').execute()
    const scheduled_tasks = ['runEveryMinute', 'runEveryDay']
    await installPlugin(api.db, { scheduled_tasks }, api.plugin)
    await api.post(CONFIGS, { plugin: api.plugin, enabled: true })

    await queueScheduledRuns(api.db, await newestStart(api))

    expect((await takeRuns(api)).filter((run) => run !== EVERY_MINUTE)).toEqual([])
  })
})

describe('a schedule of a config', () => {
  const startWith = async (schedule: object, plugin: TestPlugin) => {
    const api = await startApp()
    const id = await installPlugin(api.db, plugin)
    await api.post(CONFIGS, { plugin: id, enabled: true })
    const { status, body } = await api.patch(`${CONFIGS}/1/schedule`, { schedule })
    expect([status, body.detail]).toEqual([200, undefined])
    const scheduled_from = new Date(NOON - 30_000).toISOString()
    await api.db.updateTable('plugin_configs').set({ scheduled_from }).execute()
    await api.db.updateTable('plugins').set({ updated_at: scheduled_from }).execute()
    return api
  }

  it('replaces the times of its app', { tags: 'sql' }, async () => {
    const api = await startWith({ every: '15m' }, { scheduled_tasks: ['runEveryHour'] })

    expect(await queueScheduledRuns(api.db, NOON)).toBe(1)
    expect(await takeRuns(api)).toEqual([EVERY_HOUR])
    expect(await queueScheduledRuns(api.db, NOON + 14 * MINUTE)).toBe(0)
    expect(await queueScheduledRuns(api.db, NOON + 15 * MINUTE)).toBe(1)
  })

  it('follows the clocks of a time zone', { tags: 'sql' }, async () => {
    const cron = { cron: '0 6 * * 1-5', time_zone: 'Europe/Berlin' }
    const api = await startWith(cron, { scheduled_tasks: ['runEveryMinute'] })

    expect(await queueScheduledRuns(api.db, at('2024-05-02T03:59:00Z'))).toBe(0)
    expect(await queueScheduledRuns(api.db, at('2024-05-02T04:00:10Z'))).toBe(1)
    expect(await takeRuns(api)).toEqual([EVERY_MINUTE])
    expect(await queueScheduledRuns(api.db, at('2024-05-02T04:01:00Z'))).toBe(0)
    expect(await queueScheduledRuns(api.db, at('2024-05-03T04:07:00Z'))).toBe(1)
    expect(await takeRuns(api)).toEqual([EVERY_MINUTE])
    expect(await queueScheduledRuns(api.db, at('2024-05-05T04:00:00Z'))).toBe(0)
  })

  it('runs a job, but not while the last one is unfinished', { tags: 'sql' }, async () => {
    const api = await startWith({ every: '1h' }, { public_jobs: { 'Import now': {} } })

    expect(await queueScheduledRuns(api.db, NOON)).toBe(1)
    expect(await queueScheduledRuns(api.db, NOON + HOUR)).toBe(0)
    const { results } = (await api.get(`${CONFIGS}/1/runs`)).body
    expect(results).toMatchObject([{ kind: 'job', name: 'Import now', payload: {} }])
    expect(await takeRuns(api)).toEqual(['1 job Import now'])
    expect(await queueScheduledRuns(api.db, NOON + 2 * HOUR)).toBe(1)
  })

  it('that is manual never fires', { tags: 'sql' }, async () => {
    const api = await startWith({ manual: true }, { scheduled_tasks: ['runEveryMinute'] })

    expect(await queueScheduledRuns(api.db, NOON + DAY)).toBe(0)
  })
})
