import { fieldsOf, listOf } from './json.ts'

/** The results of the query kinds, in upstream's shapes. Times are ISO 8601, numbers have at most 12 significant digits. */

/** One line, bar or number of a trend. */
export interface TrendSeries {
  readonly label: string
  /** The whole range: the sum of `data` before smoothing or accumulating, or its last number if these do not add up. */
  readonly count: number
  readonly data: readonly number[]
  /** Dates for display: `1-Mar-2026`. */
  readonly labels: readonly string[]
  /** Machine-readable dates in the project's time zone: `2026-03-01` or `2026-03-01 13:00:00`. */
  readonly days: readonly string[]
  /** The value of the whole range, if the display aggregates. Then `data` is empty, except that of a single number. */
  readonly aggregated_value?: number
  /** The value of a property, the ID of a cohort, or `all`. */
  readonly breakdown_value?: string | number
  /** The name of a cohort. */
  readonly breakdown_label?: string
  /** The name of the person whose ID the value is. */
  readonly breakdown_name?: string
  /** Set when the last interval is the current one and may still grow. */
  readonly unfinished?: true
  readonly compare?: boolean
  readonly compare_label?: 'current' | 'previous'
  readonly action: SeriesAction | null
}

export interface SeriesAction {
  /** The name of the event, or the ID of the action. */
  readonly id: string | number | null
  readonly name: string
  readonly custom_name: string | null
  readonly order: number
  readonly math: string
  readonly type: 'events' | 'actions'
}

export interface FunnelStep {
  readonly action_id: string | number | null
  readonly name: string
  readonly custom_name: string | null
  readonly order: number
  readonly count: number
  readonly type: 'events' | 'actions'
  /** Seconds from the previous step; null for the first step, or if no one reached this one. */
  readonly average_conversion_time: number | null
  readonly median_conversion_time: number | null
  /** The share of the first step, then of the previous step, 0 to 1. */
  readonly conversion_rate: number
  readonly step_conversion_rate: number
  readonly breakdown_value?: string | number
  readonly breakdown_label?: string
  readonly breakdown_name?: string
}

/** The steps; with a breakdown, the steps of each value. */
export type FunnelResult = readonly FunnelStep[] | readonly (readonly FunnelStep[])[]

/** One line of a funnel's trend: the percentage of persons entering in each interval who completed the funnel. */
export interface FunnelTrend {
  /** The number of persons who entered in the whole range. */
  readonly count: number
  readonly data: readonly number[]
  readonly labels: readonly string[]
  readonly days: readonly string[]
  readonly breakdown_value?: string | number
  readonly breakdown_label?: string
  readonly breakdown_name?: string
  /** Set when the last interval is the current one. */
  readonly unfinished?: true
}

/** The distribution of the times that persons took to complete a funnel. */
export interface FunnelTimes {
  /** Pairs of the bin's start in seconds and the number of persons. */
  readonly bins: readonly (readonly [number, number])[]
  readonly average_conversion_time: number | null
}

/** A funnel returns one of three results, which differ in their shapes. */
export const isFunnelTimes = (result: unknown): result is FunnelTimes =>
  Array.isArray(fieldsOf(result).bins)

export const isFunnelTrend = (result: unknown): result is readonly FunnelTrend[] =>
  Array.isArray(fieldsOf(listOf(result)[0]).days)

export interface RetentionCohort {
  /** The start of the cohort's interval. */
  readonly date: string
  readonly label: string
  /** The number of persons who came back, by interval after the first. */
  readonly values: readonly RetentionValue[]
}

export interface RetentionValue {
  readonly count: number
  readonly label: string
  /** Set in the current interval, in which more persons may still come back. */
  readonly unfinished?: true
}

/** Four series: new, returning, resurrecting, and dormant, whose numbers are negative. */
export interface LifecycleSeries extends Omit<TrendSeries, 'compare' | 'compare_label'> {
  readonly status: 'new' | 'returning' | 'resurrecting' | 'dormant'
}

/** `days` are numbers of intervals, from 1; `data` is the number of persons active in that many intervals. */
export interface StickinessSeries {
  readonly label: string
  readonly count: number
  readonly data: readonly number[]
  readonly labels: readonly string[]
  readonly days: readonly number[]
  readonly compare?: boolean
  readonly compare_label?: 'current' | 'previous'
  readonly action: SeriesAction
}

export interface PathLink {
  /** The step's number, an underscore and the event or page: `1_/home`. */
  readonly source: string
  readonly target: string
  readonly value: number
  /** Milliseconds. */
  readonly average_conversion_time: number
}

/** The result of SQL. */
export interface TableResult {
  readonly columns: readonly string[]
  /** Pairs of name and type. */
  readonly types: readonly (readonly [string, string])[]
  readonly results: readonly (readonly unknown[])[]
  readonly hasMore: boolean
}
