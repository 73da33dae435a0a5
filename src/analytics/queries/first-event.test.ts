import { describe, expect, it } from 'vitest'
import type { TrendSeries } from '#model/query-results.ts'
import { DATABASES } from '../../../test/support/app/storage.ts'
import { useEventStores } from '../../../test/support/data/events.ts'
import { contextOf, type TestEvent, toEvent } from '../../../test/support/data/queries.ts'
import type { EventStore } from '../event-store.ts'
import { runQuery, type ValidQuery } from './run-query.ts'

const ALL_TIME = { date_from: 'all' }

describe.each(DATABASES)('all time, on %s', (database) => {
  async function start(events: readonly TestEvent[]) {
    const { stores, before } = await useEventStores(database)
    const store = stores[0] as EventStore
    await store.append(before + 1, events.map(toEvent))
    await store.append(before + 2, [toEvent({ at: '2020-01-01' })])
    return (query: ValidQuery) =>
      runQuery({ store, projectId: before + 1, timeoutMs: 10_000 }, query, contextOf())
  }

  async function listDays(events: readonly TestEvent[], dateRange: object = ALL_TIME) {
    const run = await start(events)
    const source = { kind: 'TrendsQuery', series: [{}], dateRange } as ValidQuery
    const { results } = await run(source)
    const { days, data } = (results as TrendSeries[])[0] as TrendSeries
    return { days, data }
  }

  it("begins on the day of the project's first event", async () => {
    const events = [{ at: '2026-03-16T23:30:00Z' }, { at: '2026-03-18T01:00:00Z' }]

    expect(await listDays(events)).toEqual({
      days: ['2026-03-16', '2026-03-17', '2026-03-18'],
      data: [1, 0, 1],
    })
  })

  it('is today if there are no events', async () => {
    expect(await listDays([])).toEqual({ days: ['2026-03-18'], data: [0] })
  })

  it('ignores events from a clock that was never set', async () => {
    const events = [{ at: '1970-01-01' }, { at: '2026-03-18' }]

    expect(await listDays(events)).toEqual({ days: ['2026-03-18'], data: [1] })
  })

  it('ends at date_to', async () => {
    const dateRange = { ...ALL_TIME, date_to: '2026-03-17' }

    expect(await listDays([{ at: '2026-03-16' }, { at: '2026-03-18' }], dateRange)).toEqual({
      days: ['2026-03-16', '2026-03-17'],
      data: [1, 0],
    })
  })

  it.each([
    { kind: 'FunnelsQuery', series: [{ event: 'a' }, { event: 'b' }] },
    { kind: 'RetentionQuery', retentionFilter: {} },
    { kind: 'LifecycleQuery', series: [{ event: 'a' }] },
    { kind: 'StickinessQuery', series: [{ event: 'a' }] },
    { kind: 'PathsQuery' },
  ])('works with $kind', async (query) => {
    const run = await start([{ at: '2026-03-10' }])
    const source: ValidQuery = { ...query, ...{ dateRange: ALL_TIME } }

    expect(await run(source)).toMatchObject({
      results: expect.anything(),
    })
  })

  it('is refused if it has too many intervals', async () => {
    const run = await start([{ at: '2015-01-01' }])
    const source = { kind: 'TrendsQuery', series: [{}], interval: 'minute', dateRange: ALL_TIME }

    await expect(run(source as ValidQuery)).rejects.toMatchObject({
      statusCode: 400,
      attr: 'query__dateRange',
    })
  })
})
