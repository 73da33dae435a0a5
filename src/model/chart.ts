import type { EChartsOption } from 'echarts'
import type { PointNotes } from './charts/point-notes.ts'
import type { NumberFormat } from './number-format.ts'
import type { TableView } from './query-kinds/query-kind.ts'

/** An insight's result, and the query that determines how to show it. */
export interface Chart {
  readonly title: string
  /** A query, or a node around one: `TrendsQuery`, `InsightVizNode`, `DataVisualizationNode`, ... */
  readonly query: object
  /** Has this kind's shape in `query-results.ts`; null if it was not computed. */
  readonly result: unknown
  readonly marks?: readonly ChartMark[] | undefined
  /** null for an insight that is not saved, undefined for a chart of something else. */
  readonly insightId?: number | null | undefined
}

/** A moment that a chart over time marks. */
export interface ChartMark {
  /** In the time zone of the project: `2026-03-01 13:00:00`. */
  readonly at: string
  readonly text: string
}

export type Scheme = 'light' | 'dark'

/** The space that a chart is drawn into. */
export interface Frame {
  readonly scheme: Scheme
  readonly animation: boolean
  /** In CSS pixels. */
  readonly width: number
  readonly height: number
  /** Draws all series of a chart over time, not only the largest. */
  readonly showsAll?: boolean | undefined
}

/** A part of a result that persons are behind, by its position in the result. */
export interface ChartPoint {
  /** The series, the value of a funnel's breakdown, the row of a retention table, or the link of a path. */
  readonly series: number
  /** The interval, step or column; without it, the whole series. */
  readonly index?: number
  /** Persons who did not come to the step of a funnel. */
  readonly dropped?: boolean
}

/** Tells how to show all series of a chart that adds some of them up or leaves them out. */
export interface Limited {
  readonly count: number
  /** Whether the chart can draw all of them; otherwise, a table lists them. */
  readonly canDraw: boolean
  toTable(): Omit<TableView, 'form'>
}

/** An option, and the points that its marks stand for. */
export type Drawing = EChartsOption & {
  readonly findPoint?: FindPoint
  /** The beginnings of the intervals on the time axis. */
  readonly days?: readonly string[] | undefined
  /** The headings of their tooltips. */
  readonly headings?: readonly string[] | undefined
  /** One sentence for people who do not see the chart. */
  readonly summary?: string
  /** Explains the points in tooltips. */
  readonly notes?: PointNotes | undefined
  readonly limited?: Limited | undefined
  /** Formats the values in tooltips. */
  readonly format?: NumberFormat | undefined
}

/** Finds the point of a mark by its positions in the option: the series, and the item in it. */
export type FindPoint = (series: number, item: number) => ChartPoint | undefined

export type DrawChart = (chart: Chart, frame: Frame) => Drawing

export const NO_EVENTS = 'No events in this range'
export const NO_ROWS = 'The query returned no rows'
