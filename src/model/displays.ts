import { fieldsOf } from './json.ts'
import { unwrapQuery } from './query-node.ts'

/** Describes one way to show series to the server, the charts and the web app. */
export interface Display {
  readonly label: string
  /** Names the drawing in `charts/series.ts`, and the icon and the sketch in the web app. */
  readonly form:
    | 'line'
    | 'area'
    | 'bar'
    | 'totals'
    | 'number'
    | 'gauge'
    | 'pie'
    | 'table'
    | 'calendar'
    | 'map'
    | 'box'
  /** Puts the series on top of each other. */
  readonly stacked?: boolean
  /** Shows one value of the whole range instead of one per interval. */
  readonly aggregates?: boolean
  /** Shows everything from the start of the range to each interval. */
  readonly cumulative?: boolean
  /** The number of values of a breakdown, unless the query says it. */
  readonly breakdownLimit?: number
}

const LINE: Display = { label: 'Line', form: 'line' }
const CUMULATIVE_LINE: Display = { label: 'Cumulative line', form: 'line', cumulative: true }
const AREA: Display = { label: 'Area', form: 'area', stacked: true }
const STACKED_BARS: Display = { label: 'Stacked bars', form: 'bar', stacked: true }
const GROUPED_BARS: Display = { label: 'Grouped bars', form: 'bar' }
const TOTAL_BARS: Display = { label: 'Bar (total)', form: 'totals', aggregates: true }
const NUMBER: Display = { label: 'Number', form: 'number', aggregates: true }
const GAUGE: Display = { label: 'Gauge', form: 'gauge', aggregates: true }
const PIE: Display = { label: 'Pie', form: 'pie', aggregates: true }
const TABLE: Display = { label: 'Table', form: 'table', aggregates: true }
/** Shows every country, so that none is missing from the map. */
const MAP: Display = { label: 'World map', form: 'map', aggregates: true, breakdownLimit: 250 }
/** Shows how the values of a property are distributed. */
const BOXES: Display = { label: 'Box plot', form: 'box' }
const CALENDAR: Display = { label: 'Calendar heatmap', form: 'calendar' }

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
  WorldMap: MAP,
  BoldNumber: NUMBER,
  /** Our own. */
  Gauge: GAUGE,
  ActionsPie: PIE,
  ActionsTable: TABLE,
  CalendarHeatmap: CALENDAR,
  BoxPlot: BOXES,
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

/** Finds the display that the outermost node or a trend names, or the default. */
export function displayOf(displays: Displays, query: unknown): Display {
  const { source, wrappers } = unwrapQuery(query)
  const name = (wrappers[0] ?? source).display ?? fieldsOf(source.trendsFilter).display
  const isKnown = typeof name === 'string' && Object.hasOwn(displays, name)
  return (isKnown ? displays[name] : Object.values(displays)[0]) as Display
}

/** Returns the name under which the editor offers a display. */
export const nameOf = (displays: Displays, display: Display): string =>
  Object.keys(displays).find((name) => displays[name] === display) as string

/** Lists the displays that the editor offers. */
export const toOptions = (displays: Displays) =>
  [...new Set(Object.values(displays))].map((display) => ({
    value: nameOf(displays, display),
    label: display.label,
  }))
