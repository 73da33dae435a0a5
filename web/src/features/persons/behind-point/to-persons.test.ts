import { describe, expect, it } from 'vitest'
import type { ChartPoint } from '#model/chart.ts'
import { STORED } from '#model/names/row-names.ts'
import { QUERY_KINDS, toRows } from '#model/query-kinds/index.ts'
import { findCellPoint, toPersons } from './to-persons.ts'

const DAYS = ['2026-11-02', '2026-11-03']
const action = (name: string, order = 0) => ({ name, order, custom_name: null })
const series = (fields: object) => ({ label: 'signed_up', days: DAYS, data: [4, 7], ...fields })

const TRENDS = { kind: 'TrendsQuery', series: [{ event: 'signed_up' }], interval: 'day' }
const chrome = series({ action: action('signed_up'), breakdown_value: 'Chrome' })
const before = series({
  action: action('paid', 1),
  compare_label: 'previous',
  days: ['2026-10-31', '2026-11-01'],
})

const FUNNEL = { kind: 'FunnelsQuery', series: [] }
const step = (order: number, count: number, breakdown_value?: string) => ({
  name: ['visit', 'sign up', 'pay'][order],
  custom_name: null,
  order,
  count,
  ...(breakdown_value && { breakdown_value }),
})
const steps = (value?: string) => [step(0, 9, value), step(1, 5, value), step(2, 2, value)]
const line = { days: DAYS, data: [50, 25], count: 4, breakdown_value: 'Chrome' }

const RETENTION = { kind: 'RetentionQuery', retentionFilter: { period: 'Week' } }
const cohorts = [0, 1].map((row) => ({
  date: DAYS[row],
  label: `Week ${row}`,
  values: [0, 1, 2].slice(row).map((at) => ({ count: 3 - at, label: `Week ${at}` })),
}))

const LIFECYCLE = { kind: 'LifecycleQuery', interval: 'week' }
const lives = ['new', 'dormant'].map((status) => series({ status, action: action('visit') }))

const STICKINESS = { kind: 'StickinessQuery', interval: 'day' }
const sticky = [series({ days: [1, 2], action: action('visit', 1), compare_label: 'current' })]

const PATHS = { kind: 'PathsQuery', pathsFilter: { stepLimit: 4 } }
const links = [{ source: '1_/home', target: '2_/pricing', value: 3, average_conversion_time: 0 }]

/** Query, result, point, the words of the title, and the source without `kind` and `source`. */
type Case = readonly [
  { readonly kind: string; readonly interval?: string },
  unknown,
  ChartPoint,
  string,
  object,
]

const CASES: Readonly<Record<string, Case>> = {
  'a point of a line': [
    TRENDS,
    [chrome],
    { series: 0, index: 1 },
    'signed_up, 3 November 2026, Chrome',
    { series: 0, day: '2026-11-03', breakdown: 'Chrome' },
  ],
  'a whole series': [
    TRENDS,
    [chrome],
    { series: 0 },
    'signed_up, Chrome',
    { series: 0, breakdown: 'Chrome' },
  ],
  'a day of the previous period': [
    TRENDS,
    [chrome, before],
    { series: 1, index: 0 },
    'paid, 31 October 2026, previous period',
    { series: 1, day: '2026-10-31', compare: 'previous' },
  ],
  'an hour': [
    { ...TRENDS, interval: 'hour' },
    [series({ action: action('a'), days: ['2026-11-02 13:00:00'] })],
    { series: 0, index: 0 },
    'a, 2 November 2026, 13:00',
    { series: 0, day: '2026-11-02 13:00:00' },
  ],
  'a formula, by its first series': [
    TRENDS,
    [series({ action: null, label: 'A / B' })],
    { series: 0, index: 0 },
    'signed_up, 2 November 2026',
    { series: 0, day: '2026-11-02' },
  ],
  'who came to a step': [
    FUNNEL,
    steps(),
    { series: 0, index: 1 },
    '2. sign up, converted',
    { funnelStep: 2 },
  ],
  'who dropped off before a step': [
    FUNNEL,
    steps(),
    { series: 0, index: 2, dropped: true },
    '3. pay, dropped off',
    { funnelStep: -3 },
  ],
  'who entered the funnel': [
    FUNNEL,
    steps(),
    { series: 0, index: 0 },
    '1. visit',
    { funnelStep: 1 },
  ],
  'a step of a value': [
    FUNNEL,
    [steps('Chrome'), steps('Safari')],
    { series: 1, index: 1 },
    '2. sign up, converted, Safari',
    { funnelStep: 2, funnelStepBreakdown: 'Safari' },
  ],
  'a day of a funnel over time': [
    { ...FUNNEL, interval: 'day' },
    [line],
    { series: 0, index: 1 },
    'entered on 3 November 2026, converted, Chrome',
    {
      funnelTrendsEntrancePeriodStart: '2026-11-03',
      funnelTrendsDropOff: false,
      funnelStepBreakdown: 'Chrome',
    },
  ],
  'who came back': [
    RETENTION,
    cohorts,
    { series: 1, index: 1 },
    'week of 3 November 2026, back in Week 2',
    { interval: 1, returned: 1 },
  ],
  'a whole row': [
    RETENTION,
    cohorts,
    { series: 0, index: 0 },
    'week of 2 November 2026',
    { interval: 0, returned: 0 },
  ],
  'a part of a life cycle': [
    LIFECYCLE,
    lives,
    { series: 1, index: 1 },
    'visit, dormant, week of 3 November 2026',
    { day: '2026-11-03', status: 'dormant' },
  ],
  'a number of days': [
    STICKINESS,
    sticky,
    { series: 0, index: 1 },
    'visit, on 2 days',
    { series: 1, day: 2, compare: 'current' },
  ],
}

describe('persons behind a point', () => {
  it.each(Object.entries(CASES))('are those of %s', (_, [query, result, point, words, chosen]) => {
    const node = { kind: 'InsightVizNode', source: query }

    const persons = toPersons({ query: node, result }, point)

    const isFunnel = query.kind === 'FunnelsQuery'
    expect(persons?.words.join(', ')).toBe(words)
    expect(persons?.source).toEqual({
      kind: isFunnel ? 'FunnelsActorsQuery' : 'InsightActorsQuery',
      source: query,
      ...chosen,
    })
  })

  it('are those of a path link that the query itself names', () => {
    const persons = toPersons({ query: PATHS, result: links }, { series: 0 })

    expect(persons?.words).toEqual(['/home → /pricing', 'step 1'])
    expect(persons?.source).toEqual({
      kind: 'InsightActorsQuery',
      source: {
        ...PATHS,
        pathsFilter: { stepLimit: 4, pathStartKey: '1_/home', pathEndKey: '2_/pricing' },
      },
    })
  })

  it('took the time of a bin to convert', () => {
    const result = {
      bins: [
        [60, 3],
        [120, 1],
      ],
    }
    const of = (index: number) => toPersons({ query: FUNNEL, result }, { series: 0, index })

    expect(of(0)).toEqual({
      words: ['converted in 1 min to 2 min'],
      source: {
        kind: 'FunnelsActorsQuery',
        source: FUNNEL,
        funnelTimeFrom: 60,
        funnelTimeTo: 120,
      },
    })
    expect(of(1)).toMatchObject({
      words: ['converted in 2 min or more'],
      source: { funnelTimeFrom: 120 },
    })
    expect(findCellPoint({ query: FUNNEL, result }, 1, 1)).toEqual({ series: 0, index: 1 })
    expect(findCellPoint({ query: FUNNEL, result }, 1, 0)).toBeUndefined()
  })

  it('are groups if the number counts groups', () => {
    const query = { ...FUNNEL, aggregation_group_type_index: 2 }

    expect(toPersons({ query, result: steps() }, { series: 0, index: 1 })?.groupType).toBe(2)
    expect(
      toPersons({ query: FUNNEL, result: steps() }, { series: 0, index: 1 }),
    ).not.toHaveProperty('groupType')
  })

  it('can be switched from converted to dropped off, and back', () => {
    const { related } = toPersons({ query: FUNNEL, result: steps() }, { series: 0, index: 1 }) ?? {}

    expect(related).toEqual([
      { label: 'Converted (5)', point: { series: 0, index: 1 } },
      { label: 'Dropped off (4)', point: { series: 0, index: 1, dropped: true } },
    ])
  })

  it.each<[string, object, unknown, ChartPoint]>([
    ['SQL', { kind: 'HogQLQuery', query: 'select 1' }, { columns: [] }, { series: 0 }],
    ['a bin that does not exist', FUNNEL, { bins: [[0, 3]] }, { series: 0, index: 1 }],
    [
      'a first step that nobody drops off before',
      FUNNEL,
      steps(),
      { series: 0, index: 0, dropped: true },
    ],
    ['a day that is not shown', TRENDS, [chrome], { series: 0, index: 9 }],
    ['a series that is not shown', TRENDS, [], { series: 0 }],
  ])('cannot be listed for %s', (_, query, result, point) => {
    expect(toPersons({ query, result }, point)).toBeUndefined()
  })
})

describe('cells of the data table', () => {
  const cellsOf = (query: object, result: unknown) => {
    const [, ...rows] = toRows(query, result, STORED)
    return rows.flatMap((cells, row) =>
      cells.flatMap((cell, column) => {
        const point = findCellPoint({ query, result }, row, column)
        return point ? [[cell, point]] : []
      }),
    )
  }

  it.each<[string, object, unknown, unknown[]]>([
    [
      'trends',
      TRENDS,
      [chrome],
      [
        [4, { series: 0, index: 0 }],
        [7, { series: 0, index: 1 }],
      ],
    ],
    [
      'totals',
      TRENDS,
      [series({ days: [], action: action('a'), aggregated_value: 11 })],
      [[11, { series: 0 }]],
    ],
    [
      'steps of values',
      FUNNEL,
      [steps('Chrome').slice(0, 2), steps('Safari').slice(0, 2)],
      [
        [9, { series: 0, index: 0 }],
        [5, { series: 0, index: 1 }],
        [9, { series: 1, index: 0 }],
        [5, { series: 1, index: 1 }],
      ],
    ],
    [
      'retention',
      RETENTION,
      cohorts,
      [
        [3, { series: 0, index: 0 }],
        [2, { series: 0, index: 1 }],
        [1, { series: 0, index: 2 }],
        [2, { series: 1, index: 0 }],
        [1, { series: 1, index: 1 }],
      ],
    ],
    ['paths', PATHS, links, [[3, { series: 0 }]]],
  ])('have the persons of %s', (_, query, result, cells) => {
    expect(cellsOf(query, result)).toEqual(cells)
  })

  it('open persons in every kind but SQL', () => {
    const files = Object.keys(import.meta.glob('../../insights/kinds/*/persons.ts'))

    const ids = QUERY_KINDS.filter(({ textField }) => !textField).map(({ id }) => id)
    expect(files.toSorted()).toEqual(
      ids.map((id) => `../../insights/kinds/${id}/persons.ts`).toSorted(),
    )
  })
})
