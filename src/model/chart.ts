import type { EChartsOption } from 'echarts'

/** An insight's result, and the query that determines how to show it. */
export interface Chart {
  readonly title: string
  /** A query, or a node around one: `TrendsQuery`, `InsightVizNode`, `DataVisualizationNode`, ... */
  readonly query: object
  /** Has this kind's shape in `query-results.ts`; null if it was not computed. */
  readonly result: unknown
}

export type Scheme = 'light' | 'dark'

/** The space that a chart is drawn into. */
export interface Frame {
  readonly scheme: Scheme
  readonly animation: boolean
  /** In CSS pixels. */
  readonly width: number
  readonly height: number
}

export type DrawChart = (chart: Chart, frame: Frame) => EChartsOption

export const NO_EVENTS = 'No events in this range'
export const NO_ROWS = 'The query returned no rows'
