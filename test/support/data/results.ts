import type { Chart } from '#model/chart.ts'
import type {
  FunnelStep,
  LifecycleSeries,
  PathLink,
  RetentionCohort,
  SeriesAction,
  StickinessSeries,
  TableResult,
  TrendSeries,
} from '#model/query-results.ts'

/** Reproducible sample results of every query kind for a small shop. */

const DAYS = Array.from({ length: 30 }, (_, at) =>
  new Date(Date.UTC(2026, 2, 1 + at)).toISOString().slice(0, 10),
)

const wave = (length: number, base: number, swing: number, shift: number): number[] =>
  Array.from({ length }, (_, at) =>
    Math.max(0, Math.round(base + at * (base / 60) + swing * Math.sin((at + shift) * 0.9))),
  )

const sum = (values: readonly number[]): number => values.reduce((total, value) => total + value, 0)

const actionOf = (name: string, order = 0): SeriesAction => ({
  id: name,
  name,
  custom_name: null,
  order,
  math: 'total',
  type: 'events',
})

export function trend(label: string, data: number[], more: Partial<TrendSeries> = {}): TrendSeries {
  const days = DAYS.slice(0, data.length)
  return { label, count: sum(data), data, labels: days, days, action: actionOf(label), ...more }
}

export const trendsQuery = (display?: string, more: object = {}) => ({
  kind: 'TrendsQuery',
  interval: 'day',
  series: [{ kind: 'EventsNode', event: '$pageview' }],
  trendsFilter: display ? { display } : {},
  ...more,
})

/** The five series of a box plot of 12 days, without values on the fourth. */
const boxParts = (['min', 'p25', 'median', 'p75', 'max'] as const).map((math, at) =>
  trend(
    `paid · ${math}`,
    wave(12, 4 + at * 18, 6 + at * 2, at).map((value, day) => (day === 3 ? 0 : value)),
    {
      unfinished: true,
      action: {
        ...actionOf('paid', at),
        math,
        custom_name: `paid · ${math === 'min' ? 'minimum' : math}`,
      },
    },
  ),
)

const PAGES = ['/', '/pricing', '/docs', '/docs/start', '/blog', '/sign-up', '/about', '/changelog']
const COUNTRIES = [
  'Germany',
  'United States',
  'Poland',
  'France',
  'Brazil',
  'Japan',
  'India',
  'Kenya',
]

const lines = [
  trend('$pageview', wave(30, 4200, 900, 0), { action: actionOf('$pageview', 0) }),
  trend('sign_up', wave(30, 800, 220, 2), { action: actionOf('sign_up', 1) }),
  trend('purchase', wave(30, 260, 90, 4), { action: actionOf('purchase', 2) }),
]
const compared = [
  trend('$pageview', wave(30, 4200, 900, 0), { compare: true, compare_label: 'current' }),
  trend('$pageview', wave(30, 3600, 800, 3), { compare: true, compare_label: 'previous' }),
]
const broken = PAGES.map((page, at) =>
  trend(page, wave(30, 900 - at * 90, 160, at), {
    breakdown_value: page,
    action: actionOf('$pageview'),
  }),
)
const totals = (names: readonly string[], first: number): TrendSeries[] =>
  names.map((name, at) =>
    trend(name, [], {
      breakdown_value: name,
      aggregated_value: Math.round(first / (at + 1) ** 1.2),
      action: actionOf('$pageview'),
    }),
  )
const number = trend('$pageview', [], { aggregated_value: 128_459 })

const step = (
  order: number,
  name: string,
  count: number,
  first: number,
  before: number,
): FunnelStep => ({
  action_id: name,
  name,
  custom_name: null,
  order,
  count,
  type: 'events',
  average_conversion_time: order === 0 ? null : 340 * order,
  median_conversion_time: order === 0 ? null : 190 * order ** 3,
  conversion_rate: count / first,
  step_conversion_rate: count / before,
})

export const funnelSteps = (scale = 1): FunnelStep[] => {
  const counts = [12_840, 6210, 2380, 941].map((count) => Math.round(count * scale))
  const names = ['$pageview', 'sign_up', 'add_to_cart', 'purchase']
  return counts.map((count, at) =>
    step(
      at,
      names[at] as string,
      count,
      counts[0] as number,
      counts[Math.max(0, at - 1)] as number,
    ),
  )
}

const brokenFunnel = ['Chrome', 'Safari', 'Firefox'].map((browser, at) =>
  funnelSteps(1 / (at + 1)).map((one) => ({ ...one, breakdown_value: browser })),
)

const retention: RetentionCohort[] = Array.from({ length: 8 }, (_, week) => ({
  date: new Date(Date.UTC(2026, 1, 2 + week * 7)).toISOString(),
  label: `Week ${week}`,
  values: Array.from({ length: 8 - week }, (_, at) => ({
    label: `Week ${at}`,
    ...(at === 7 - week && { unfinished: true as const }),
    count: Math.round((1240 - week * 40) * (at === 0 ? 1 : 0.46 / at ** 0.6)),
  })),
}))

const lifecycle: LifecycleSeries[] = (['new', 'returning', 'resurrecting', 'dormant'] as const).map(
  (status, at) => {
    const data = wave(12, [320, 900, 140, 410][at] as number, 60, at)
    return {
      ...trend(`$pageview - ${status}`, status === 'dormant' ? data.map((value) => -value) : data),
      status,
      unfinished: true,
    }
  },
)

const stickiness: StickinessSeries[] = [
  {
    label: '$pageview',
    count: 4100,
    data: [1800, 920, 510, 330, 240, 170, 130],
    labels: [1, 2, 3, 4, 5, 6, 7].map((days) => `${days} ${days === 1 ? 'day' : 'days'}`),
    days: [1, 2, 3, 4, 5, 6, 7],
    action: actionOf('$pageview'),
  },
]

const link = (source: string, target: string, value: number): PathLink => ({
  source,
  target,
  value,
  average_conversion_time: 42_000,
})
const paths: PathLink[] = [
  link('1_/', '2_/pricing', 820),
  link('1_/', '2_/docs', 540),
  link('1_/blog', '2_/', 310),
  link('2_/pricing', '3_/sign-up', 430),
  link('2_/pricing', '3_/docs', 190),
  link('2_/docs', '3_/docs/start', 380),
  link('2_/', '3_/pricing', 150),
  link('3_/sign-up', '4_/welcome', 360),
  link('3_/docs/start', '4_/sign-up', 120),
]

export const tableResult: TableResult = {
  columns: ['day', 'plan', 'orders', 'revenue'],
  types: [
    ['day', 'Date'],
    ['plan', 'String'],
    ['orders', 'Int64'],
    ['revenue', 'Float64'],
  ],
  results: DAYS.slice(0, 12).map((day, at) => [day, ['free', 'team'][at % 2], 12 + at, 310.5 * at]),
  hasMore: false,
}

const sqlQuery = { kind: 'HogQLQuery', query: 'select 1' }
const sqlNode = (display?: string) => ({
  kind: 'DataVisualizationNode',
  source: sqlQuery,
  ...(display && { display }),
})

const trendCharts: Record<string, Chart> = Object.fromEntries(
  (
    [
      ['line', undefined, lines],
      ['cumulative', 'ActionsLineGraphCumulative', lines],
      ['compare', 'ActionsLineGraph', compared],
      ['breakdown', 'ActionsLineGraph', broken],
      ['area', 'ActionsAreaGraph', broken.slice(0, 5)],
      ['bar', 'ActionsBar', broken.slice(0, 4)],
      [
        'unstacked-bar',
        'ActionsUnstackedBar',
        lines.map((one) => ({ ...one, data: one.data.slice(0, 10), days: one.days.slice(0, 10) })),
      ],
      ['stacked-bar', 'ActionsStackedBar', broken.slice(0, 6)],
      ['bar-value', 'ActionsBarValue', totals(PAGES, 48_200)],
      ['pie', 'ActionsPie', totals(PAGES, 48_200)],
      ['table', 'ActionsTable', totals(PAGES, 48_200)],
      ['number', 'BoldNumber', [number]],
      ['gauge', 'Gauge', [number]],
      [
        'number-compare',
        'BoldNumber',
        [
          { ...number, compare: true, compare_label: 'current' },
          { ...number, aggregated_value: 110_020, compare: true, compare_label: 'previous' },
        ],
      ],
      ['world-map', 'WorldMap', totals(COUNTRIES, 12_300)],
      ['calendar', 'CalendarHeatmap', lines.slice(0, 1)],
      ['box', 'BoxPlot', boxParts],
      ['empty', 'ActionsLineGraph', [trend('$pageview', new Array(30).fill(0))]],
    ] as const
  ).map(([name, display, result]) => [
    `trends-${name}`,
    { title: `Pageviews, ${name}`, query: trendsQuery(display), result },
  ]),
)

/** Samples by name: each kind, and each display of trends. */
export const CHARTS: Readonly<Record<string, Chart>> = {
  ...trendCharts,
  funnel: {
    title: 'From visit to purchase',
    query: { kind: 'FunnelsQuery' },
    result: funnelSteps(),
  },
  'funnel-breakdown': {
    title: 'From visit to purchase, by browser',
    query: { kind: 'InsightVizNode', source: { kind: 'FunnelsQuery' } },
    result: brokenFunnel,
  },
  'funnel-bars': {
    title: 'From visit to purchase, as bars',
    query: { kind: 'FunnelsQuery', funnelsFilter: { layout: 'horizontal' } },
    result: funnelSteps(),
  },
  'funnel-breakdown-bars': {
    title: 'From visit to purchase, by browser, as bars',
    query: { kind: 'FunnelsQuery', funnelsFilter: { layout: 'horizontal' } },
    result: brokenFunnel,
  },
  'funnel-trend': {
    title: 'Conversion by day',
    query: { kind: 'FunnelsQuery', interval: 'day' },
    result: ['Chrome', 'Safari'].map((browser, at) => ({
      count: 900,
      data: wave(30, 40 - at * 12, 6, at),
      labels: DAYS,
      days: DAYS,
      breakdown_value: browser,
    })),
  },
  'funnel-times': {
    title: 'Time to convert',
    query: { kind: 'FunnelsQuery' },
    result: {
      bins: [320, 210, 90, 41, 12].map((people, at) => [at * 1800, people]),
      average_conversion_time: 2100,
    },
  },
  'stickiness-compare': {
    title: 'Stickiness',
    query: { kind: 'StickinessQuery' },
    result: (['current', 'previous'] as const).map((compare_label) => ({
      ...stickiness[0],
      compare: true,
      compare_label,
    })),
  },
  retention: { title: 'Retention', query: { kind: 'RetentionQuery' }, result: retention },
  lifecycle: {
    title: 'Growth accounting',
    query: { kind: 'LifecycleQuery', interval: 'day' },
    result: lifecycle,
  },
  stickiness: { title: 'Stickiness', query: { kind: 'StickinessQuery' }, result: stickiness },
  paths: { title: 'Where people go', query: { kind: 'PathsQuery' }, result: paths },
  'sql-table': { title: 'Orders', query: sqlQuery, result: tableResult },
  'sql-line': { title: 'Orders', query: sqlNode('ActionsLineGraph'), result: tableResult },
  'sql-bar': { title: 'Orders', query: sqlNode('ActionsBar'), result: tableResult },
}

export const chartOf = (name: string): Chart => {
  const chart = CHARTS[name]
  if (!chart) throw new Error(`There is no sample named ${name}.`)
  return chart
}
