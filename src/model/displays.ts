import { fieldsOf } from './fields.ts'
import { unwrapQuery } from './query-node.ts'
import type { IconName, SketchName } from './symbols.ts'

/** Describes one way to show series to the server, the charts and the web app. */
export interface Display {
  readonly label: string
  /** Drawn by `charts/series.ts`. */
  readonly form: 'line' | 'area' | 'bar' | 'totals' | 'number' | 'pie' | 'table' | 'calendar'
  /** Puts the series on top of each other. */
  readonly stacked?: boolean
  /** Shows one value of the whole range instead of one per interval. */
  readonly aggregates?: boolean
  /** Shows everything from the start of the range to each interval. */
  readonly cumulative?: boolean
  readonly icon: IconName
  readonly sketch: SketchName
}

const LINE: Display = { label: 'Line', form: 'line', icon: 'IconChartLine', sketch: 'line' }
const CUMULATIVE_LINE: Display = {
  label: 'Cumulative line',
  form: 'line',
  cumulative: true,
  icon: 'IconTrendingUp',
  sketch: 'line',
}
const AREA: Display = {
  label: 'Area',
  form: 'area',
  stacked: true,
  icon: 'IconChartAreaLine',
  sketch: 'area',
}
const STACKED_BARS: Display = {
  label: 'Stacked bars',
  form: 'bar',
  stacked: true,
  icon: 'IconChartColumn',
  sketch: 'bar',
}
const GROUPED_BARS: Display = {
  label: 'Grouped bars',
  form: 'bar',
  icon: 'IconChartBar',
  sketch: 'bar',
}
const TOTAL_BARS: Display = {
  label: 'Bar (total)',
  form: 'totals',
  aggregates: true,
  icon: 'IconAlignLeft',
  sketch: 'bars',
}
const NUMBER: Display = {
  label: 'Number',
  form: 'number',
  aggregates: true,
  icon: 'IconNumber123',
  sketch: 'number',
}
const PIE: Display = {
  label: 'Pie',
  form: 'pie',
  aggregates: true,
  icon: 'IconChartPie',
  sketch: 'pie',
}
const TABLE: Display = {
  label: 'Table',
  form: 'table',
  aggregates: true,
  icon: 'IconTable',
  sketch: 'table',
}
const CALENDAR: Display = {
  label: 'Calendar heatmap',
  form: 'calendar',
  icon: 'IconCalendarWeek',
  sketch: 'calendar',
}

/**
 * The displays of one query kind by upstream's names, in the order of the editor. The first is the default. If a display
 * has several names, the editor offers the first one; the others are kept as they are sent.
 */
export type Displays = Readonly<Record<string, Display>>

export const TREND_DISPLAYS = {
  ActionsLineGraph: LINE,
  ActionsLineGraphCumulative: CUMULATIVE_LINE,
  ActionsAreaGraph: AREA,
  ActionsBar: STACKED_BARS,
  ActionsStackedBar: STACKED_BARS,
  ActionsUnstackedBar: GROUPED_BARS,
  ActionsBarValue: TOTAL_BARS,
  // bars by country, because a map would need the borders of countries
  WorldMap: TOTAL_BARS,
  BoldNumber: NUMBER,
  ActionsPie: PIE,
  ActionsTable: TABLE,
  CalendarHeatmap: CALENDAR,
} as const satisfies Displays

export type TrendDisplay = keyof typeof TREND_DISPLAYS

/** Upstream stacks the bars of trends, but not those of SQL. */
export const SQL_DISPLAYS = {
  ActionsTable: TABLE,
  ActionsLineGraph: LINE,
  ActionsAreaGraph: AREA,
  ActionsBar: GROUPED_BARS,
  ActionsStackedBar: STACKED_BARS,
  BoldNumber: NUMBER,
} as const satisfies Displays

/** Finds a display by its name, or the default. */
export function findDisplay(displays: Displays, name: unknown): Display {
  const isKnown = typeof name === 'string' && Object.hasOwn(displays, name)
  return (isKnown ? displays[name] : Object.values(displays)[0]) as Display
}

/** Finds the display of a query by the `display` of the outermost node, or of a trend. */
export function displayOf(displays: Displays, query: unknown): Display {
  const { source, wrappers } = unwrapQuery(query)
  const name = (wrappers[0] ?? source).display ?? fieldsOf(source.trendsFilter).display
  return findDisplay(displays, name)
}

/** Returns the name under which the editor offers a display. */
export function toOffered(displays: Displays, name: unknown): string {
  const display = findDisplay(displays, name)
  return Object.keys(displays).find((offered) => displays[offered] === display) as string
}

/** Lists the displays that the editor offers. */
export const toOptions = (displays: Displays) =>
  Object.entries(displays)
    .filter(([name]) => toOffered(displays, name) === name)
    .map(([value, { label }]) => ({ value, label }))
