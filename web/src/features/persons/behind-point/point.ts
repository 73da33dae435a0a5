import type { Chart, ChartPoint } from '#model/chart.ts'
import type { Filters } from '#model/dashboard-filters.ts'
import { toLabel } from '#model/format.ts'
import type { TrendSeries } from '#model/query-results.ts'
import { toNodeLabel } from '#model/series-names.ts'

/** A result, its query, and the filters of a dashboard that the result was computed with. */
export interface ShownChart extends Pick<Chart, 'query' | 'result'> {
  readonly filters?: readonly Filters[]
}

/** The persons behind a point of a result. */
export interface PointPersons {
  /** The common traits of the persons: the event, the day, the value. */
  readonly words: readonly string[]
  /** The `source` of an ActorsQuery. */
  readonly source: object
  /** The index of the type if the number counts groups. */
  readonly groupType?: number
  /** False if the number counts no single events. */
  readonly hasEvents?: false
  /** Related points to switch to, with this one among them. */
  readonly related?: readonly { readonly label: string; readonly point: ChartPoint }[]
}

/** Finds the persons behind the results of a query kind. */
export interface KindPersons<Query> {
  /** Undefined if the point does not exist, or its persons cannot be listed. */
  toPersons(query: Query, result: unknown, point: ChartPoint): PointPersons | undefined
  /** Finds the point that a cell of `toRows` shows; rows and columns count from 0 below the header. */
  pointAt(result: unknown, row: number, column: number): ChartPoint | undefined
}

const DAY = new Intl.DateTimeFormat('en-GB', {
  day: 'numeric',
  month: 'long',
  year: 'numeric',
  timeZone: 'UTC',
})

/** `2026-11-03 13:00:00` as `3 November 2026, 13:00`. */
export function longDay(day: string, interval: unknown): string {
  const [date = '', time = ''] = day.split(/[ T]/)
  const at = new Date(`${date}T00:00:00Z`)
  if (Number.isNaN(at.getTime())) return toLabel(day)
  const text = DAY.format(at)
  if (interval === 'month') return text.replace(/^\d+ /, '')
  if (interval === 'week') return `week of ${text}`
  return interval === 'hour' || interval === 'minute' ? `${text}, ${time.slice(0, 5)}` : text
}

export const eventName = (series: Pick<TrendSeries, 'action' | 'label'>): string =>
  toLabel(series.action ? toNodeLabel(series.action) : series.label)

/** Returns the point of a cell in a table over time, with a row per interval and a column per series after the day. */
export const pointOverTime = (row: number, column: number): ChartPoint | undefined =>
  column > 0 ? { series: column - 1, index: row } : undefined
