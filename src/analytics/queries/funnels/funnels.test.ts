import { describe, expect, it } from 'vitest'
import type { FunnelsQuery } from '#model/query-kinds/funnels.schema.ts'
import type { FunnelStep, FunnelTrend } from '#model/query-results.ts'
import { contextOf, startStores, type TestEvent } from '../../../../test/support/data/queries.ts'
import { compileFunnelsQuery } from './compile.ts'

const MARCH = { date_from: '2026-03-01', date_to: '2026-03-31' }

const funnelOf = (events: string, rest: Partial<FunnelsQuery> = {}): FunnelsQuery => ({
  kind: 'FunnelsQuery',
  series: events.split(' ').map((event) => ({ event })),
  dateRange: MARCH,
  ...rest,
})

/** `ada: visit@10:00 buy@10:05:00.5`, all on one day. */
const toEvents = (...lines: string[]): TestEvent[] =>
  lines.flatMap((line) => {
    const [person, steps = ''] = line.split(': ')
    return steps.split(' ').map((step) => {
      const [event, time = ''] = step.split('@')
      const at = time.includes('-') ? `2026-${time}` : `2026-03-10T${time}`
      return { person, event, at: `${at}Z` } as TestEvent
    })
  })

async function start(...lines: string[]) {
  const stores = await startStores()
  await stores.add(toEvents(...lines))
  await stores.add(toEvents('eve: visit@10:00 cart@10:01 buy@10:02 canary@10:03'), 2)
  const run = async (query: FunnelsQuery) =>
    (await stores.run(compileFunnelsQuery(query, contextOf()))) as readonly FunnelStep[]
  const counts = async (query: FunnelsQuery) => (await run(query)).map(({ count }) => count)
  return { stores, run, counts }
}

describe('funnels', () => {
  it('return the count, conversion rate and conversion time of each step', async () => {
    const { run } = await start(
      'ada: visit@10:00 cart@10:01 buy@10:03',
      'bob: visit@10:00 other@10:01 cart@10:02:00.500',
      'cyd: visit@10:00 buy@10:01',
      'dan: cart@10:00 buy@10:01',
    )

    const steps = await run(
      funnelOf('', {
        series: [{ event: 'visit', custom_name: 'Came' }, { event: 'cart' }, { event: 'buy' }],
      }),
    )

    const common = { type: 'events', custom_name: null }
    expect(steps).toEqual([
      {
        ...common,
        action_id: 'visit',
        name: 'visit',
        custom_name: 'Came',
        order: 0,
        count: 3,
        average_conversion_time: null,
        median_conversion_time: null,
        conversion_rate: 1,
        step_conversion_rate: 1,
      },
      {
        ...common,
        action_id: 'cart',
        name: 'cart',
        order: 1,
        count: 2,
        average_conversion_time: 90.25,
        median_conversion_time: 90.25,
        conversion_rate: 0.666666666667,
        step_conversion_rate: 0.666666666667,
      },
      {
        ...common,
        action_id: 'buy',
        name: 'buy',
        order: 2,
        count: 1,
        average_conversion_time: 120,
        median_conversion_time: 120,
        conversion_rate: 0.333333333333,
        step_conversion_rate: 0.5,
      },
    ])
  })

  it('are all zero without persons', async () => {
    const { run } = await start('ada: other@10:00')

    expect(await run(funnelOf('visit buy'))).toMatchObject([
      { count: 0, conversion_rate: 0, average_conversion_time: null },
      { count: 0, conversion_rate: 0, step_conversion_rate: 0, median_conversion_time: null },
    ])
  })

  it('use the best of several attempts, with its latest steps', async () => {
    const { run } = await start(
      'ada: visit@03-02T10:00 visit@03-20T10:00 visit@03-20T11:00 buy@03-20T11:10 visit@03-21T10:00 buy@03-21T10:30',
    )

    const [, buy] = await run(funnelOf('visit buy'))

    expect(buy).toMatchObject({ count: 1, average_conversion_time: 600 })
  })

  it('respect the window to the millisecond', async () => {
    const { counts } = await start(
      'ada: visit@10:00:00.000 buy@10:00:30.000',
      'bob: visit@10:00:00.000 buy@10:00:30.001',
      'cyd: visit@10:00:00 cart@10:00:20 buy@10:00:40',
    )
    const within = (
      funnelWindowInterval: number,
      funnelWindowIntervalUnit: 'second' | 'month',
    ) => ({
      funnelsFilter: { funnelWindowInterval, funnelWindowIntervalUnit },
    })

    expect(await counts(funnelOf('visit buy', within(30, 'second')))).toEqual([3, 1])
    expect(await counts(funnelOf('visit cart buy', within(30, 'second')))).toEqual([3, 1, 0])
    expect(await counts(funnelOf('visit buy', within(1, 'month')))).toEqual([3, 3])
  })

  it('have a window of 14 days by default', async () => {
    const { counts } = await start(
      'ada: visit@03-01T10:00 buy@03-15T10:00',
      'bob: visit@03-01T10:00 buy@03-15T10:01',
    )

    expect(await counts(funnelOf('visit buy'))).toEqual([2, 1])
  })

  it('need one event for each of several equal steps', async () => {
    const { counts } = await start(
      'ada: visit@10:00',
      'bob: visit@10:00 visit@10:01',
      'cyd: visit@10:00 visit@10:01 visit@10:02',
    )

    expect(await counts(funnelOf('visit visit visit'))).toEqual([3, 2, 1])
    const unordered = { funnelsFilter: { funnelOrderType: 'unordered' } } as const
    expect(await counts(funnelOf('visit visit visit', unordered))).toEqual([3, 2, 1])
  })

  it('accept a different event at the same moment as the next step', async () => {
    const { counts } = await start('ada: visit@10:00 buy@10:00', 'bob: buy@10:00 visit@10:00')

    expect(await counts(funnelOf('visit buy'))).toEqual([2, 2])
    expect(await counts(funnelOf('buy visit'))).toEqual([2, 2])
  })

  it('ignore events outside the range', async () => {
    const { counts } = await start(
      'ada: visit@02-28T23:59:59.999 buy@03-01T00:00',
      'bob: visit@03-31T23:59:59.999 buy@04-01T00:00',
    )

    expect(await counts(funnelOf('visit buy'))).toEqual([1, 0])
  })

  it('with strict order allow no other event between steps', async () => {
    const { counts } = await start(
      'ada: visit@10:00 cart@10:01 buy@10:02',
      'bob: visit@10:00 other@10:01 cart@10:02 buy@10:03',
      'cyd: visit@10:00 cart@10:01 other@10:02 buy@10:03',
      'dan: visit@10:00 other@10:01 visit@10:02 cart@10:03 buy@10:04',
    )
    const strict = { funnelsFilter: { funnelOrderType: 'strict' } } as const

    expect(await counts(funnelOf('visit cart buy', strict))).toEqual([4, 3, 2])
    const notOther = { key: 'event', type: 'event_metadata', operator: 'is_not', value: 'other' }
    const filtered = { ...strict, properties: [notOther] } as Partial<FunnelsQuery>
    expect(await counts(funnelOf('visit cart buy', filtered))).toEqual([4, 4, 4])
  })

  it('without order accept steps in any order within one window', async () => {
    const { run } = await start(
      'ada: buy@10:00 cart@10:01 visit@10:03',
      'bob: visit@10:00 cart@10:10 visit@11:30 buy@11:31',
      'cyd: cart@10:00 cart@10:01',
    )

    const steps = await run(
      funnelOf('visit cart buy', {
        funnelsFilter: {
          funnelOrderType: 'unordered',
          funnelWindowInterval: 1,
          funnelWindowIntervalUnit: 'hour',
        },
      }),
    )

    expect(steps).toMatchObject([
      { count: 3 },
      { count: 2, average_conversion_time: 330 },
      { count: 1, average_conversion_time: 120 },
    ])
  })

  it('count persons over time by when they entered', async () => {
    const { stores } = await start(
      'ada: visit@03-10T10:00 buy@03-12T10:00',
      'bob: visit@03-10T23:59:59.999',
      'cyd: visit@03-11T00:00 buy@03-11T00:01',
    )
    const query = funnelOf('visit buy', {
      dateRange: { date_from: '2026-03-10', date_to: '2026-03-12' },
      funnelsFilter: { funnelVizType: 'trends' },
    })

    const [trend] = (await stores.run(
      compileFunnelsQuery(query, contextOf()),
    )) as readonly FunnelTrend[]

    expect(trend).toEqual({
      count: 3,
      data: [50, 100, 0],
      days: ['2026-03-10', '2026-03-11', '2026-03-12'],
      labels: ['10-Mar-2026', '11-Mar-2026', '12-Mar-2026'],
    })
    const untilNow = { ...query, dateRange: { date_from: '2026-03-10' } }
    expect(await stores.run(compileFunnelsQuery(untilNow, contextOf()))).toMatchObject([
      { unfinished: true },
    ])
  })

  it('group conversion times into bins', async () => {
    const { stores } = await start(
      'ada: visit@10:00 cart@10:00:01 buy@10:00:10',
      'bob: visit@10:00 cart@10:00:05 buy@10:00:12.999',
      'cyd: visit@10:00 cart@10:00:06 buy@10:00:19',
      'dan: visit@10:00',
    )
    const times = (funnelsFilter: FunnelsQuery['funnelsFilter']) =>
      stores.run(
        compileFunnelsQuery(
          funnelOf('visit cart buy', {
            funnelsFilter: { funnelVizType: 'time_to_convert', ...funnelsFilter },
          }),
          contextOf(),
        ),
      )

    expect(await times({})).toEqual({
      bins: [
        [10, 2],
        [15, 1],
      ],
      average_conversion_time: 13.9996666667,
    })
    expect(await times({ funnelToStep: 1, binCount: 3 })).toEqual({
      bins: [
        [1, 1],
        [3, 0],
        [5, 2],
      ],
      average_conversion_time: 4,
    })
    expect(await times({ funnelWindowInterval: 1, funnelWindowIntervalUnit: 'second' })).toEqual({
      bins: [],
      average_conversion_time: null,
    })
  })
})
