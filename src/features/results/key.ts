import { createHash } from 'node:crypto'
import type { Source } from '../../analytics/queries/answer.ts'
import type { Context } from '../../analytics/queries/plan.ts'

/** Counts up when the same question gets another answer than it did by an earlier version. */
const REVISION = 1

/** Everything that an answer depends on, but the events and the time. */
export function keyOf(projectId: number, source: Source, context: Context): string {
  const { zone, weekStart } = context
  const tests = 'filterTestAccounts' in source ? context.testAccountFilters : null
  const parts = [REVISION, projectId, zone, weekStart, tests, sorted(source)]
  return createHash('sha256').update(JSON.stringify(parts)).digest('base64url')
}

/** The order in which keys were sent changes nothing. */
function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted)
  if (typeof value !== 'object' || value === null) return value
  const entries = Object.entries(value).toSorted(([a], [b]) => (a < b ? -1 : 1))
  return Object.fromEntries(entries.map(([key, each]) => [key, sorted(each)]))
}

const SQL_MINUTES = 5

/** What the time is, as coarsely as the question sees it: in another period `-7d` means other days. */
export function periodOf(source: Source, { now, zone }: Context): string {
  const local = now.toZonedDateTimeISO(zone)
  const { interval, retentionFilter } = source as {
    interval?: string
    retentionFilter?: { period?: string }
  }
  const unit = (interval ?? retentionFilter?.period ?? 'day').toLowerCase()
  if (source.kind === 'HogQLQuery') {
    return `${Math.floor(now.epochMilliseconds / (SQL_MINUTES * 60_000))}`
  }
  if (unit === 'minute') return local.toString().slice(0, 16)
  if (unit === 'hour') return local.toString().slice(0, 13)
  return local.toPlainDate().toString()
}
