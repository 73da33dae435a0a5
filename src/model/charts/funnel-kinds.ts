import { fieldsOf, listOf } from '../chart.ts'
import type { FunnelTimes, FunnelTrend } from '../query-results.ts'

/* Apart from what draws them: a table of the figures needs no more. */

/** Which of its three answers a funnel gave is told by their shapes. */
export const isFunnelTimes = (result: unknown): result is FunnelTimes =>
  Array.isArray(fieldsOf(result).bins)

export const isFunnelTrend = (result: unknown): result is readonly FunnelTrend[] =>
  Array.isArray(fieldsOf(listOf(result)[0]).days)
