import { findKind } from '#model/query-kinds/index.ts'
import type { Context } from '#server/analytics/queries/plan.ts'
import type { ValidQuery } from '#server/analytics/queries/run-query.ts'
import type { RefreshPolicy } from './refresh.ts'
import type { ResultRow } from './store.ts'

/** Tells whether the project has no newer events (`version`) and the query's next period has not begun. */
export const isFresh = (row: ResultRow | undefined, version: string, period: string): boolean =>
  row !== undefined && row.version === version && row.period === period

/** The age up to which viewers accept a stale result: under constant ingestion every result is stale at once. */
const MIN_AGE_MS = 3000
/** A slow query is refreshed more rarely. */
const MIN_AGE_PER_DURATION = 20

/** Returns whether a policy requires a computation, given the cached row and whether it is fresh. */
export function shouldCompute(
  when: RefreshPolicy['when'],
  row: ResultRow | undefined,
  fresh: boolean,
): boolean {
  switch (when) {
    case 'never':
      return false
    case 'always':
      return true
    case 'stale':
      return !fresh
    case 'stale-and-old':
      return !fresh && isOld(row)
  }
}

function isOld(row: ResultRow | undefined): boolean {
  if (!row) return true
  const ageMs = Date.now() - Date.parse(row.computed_at)
  return ageMs > Math.max(MIN_AGE_MS, row.duration_ms * MIN_AGE_PER_DURATION)
}

const MINUTE_MS = 60_000
const CLOCK_PERIOD_MS = 5 * MINUTE_MS

/**
 * Names the period in which a result can be fresh: the current minute, hour or day of the project, by the query's
 * interval. In the next period `-7d` means other days. A query that reads the clock has periods of five minutes.
 */
export function toPeriod(source: ValidQuery, { now, zone }: Pick<Context, 'now' | 'zone'>): string {
  const kind = findKind(source.kind)
  if (kind?.readsClock) return String(Math.floor(now.epochMilliseconds / CLOCK_PERIOD_MS))
  const period = kind?.periodOf ? kind.periodOf(source) : (source as { interval?: string }).interval
  const unit = (period ?? 'day').toLowerCase()
  const length = unit === 'minute' ? 16 : unit === 'hour' ? 13 : 10
  return toLocalMinute(now, zone).slice(0, length)
}

const localMinutes = new Map<string, { readonly minute: number; readonly local: string }>()

/** Converts once per minute and time zone: time zone arithmetic is slow. */
function toLocalMinute(now: Temporal.Instant, zone: string): string {
  const minute = Math.floor(now.epochMilliseconds / MINUTE_MS)
  const cached = localMinutes.get(zone)
  if (cached?.minute === minute) return cached.local
  const local = now.toZonedDateTimeISO(zone).toString().slice(0, 16)
  localMinutes.set(zone, { minute, local })
  return local
}
