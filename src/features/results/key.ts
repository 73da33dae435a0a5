import { createHash } from 'node:crypto'
import type { Source } from '#server/analytics/queries/answer.ts'
import type { Context } from '#server/analytics/queries/plan.ts'

/** Counts up when the same question gets another answer than it did by an earlier version. */
const REVISION = 1

/** Everything that an answer depends on, but the events and the time. */
export function keyOf(
  projectId: number,
  source: Source,
  context: Omit<Context, 'attr' | 'now'>,
): string {
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

const MINUTE_MS = 60_000
const told = new Map<string, { readonly minute: number; readonly local: string }>()

/** Told once a minute and zone: what knows time zones is slow. */
function toLocalMinute(now: Temporal.Instant, zone: string): string {
  const minute = Math.floor(now.epochMilliseconds / MINUTE_MS)
  const last = told.get(zone)
  if (last?.minute === minute) return last.local
  const local = now.toZonedDateTimeISO(zone).toString().slice(0, 16)
  told.set(zone, { minute, local })
  return local
}

/** What the time is, as coarsely as a question sees it: in another period `-7d` means other days. */
export function createPeriods({ now, zone }: Pick<Context, 'now' | 'zone'>) {
  const local = toLocalMinute(now, zone)
  const minutes = Math.floor(now.epochMilliseconds / (SQL_MINUTES * MINUTE_MS))
  return (source: Source): string => {
    if (source.kind === 'HogQLQuery') return String(minutes)
    const { interval, retentionFilter } = source as {
      interval?: string
      retentionFilter?: { period?: string }
    }
    const unit = (interval ?? retentionFilter?.period ?? 'day').toLowerCase()
    return local.slice(0, unit === 'minute' ? 16 : unit === 'hour' ? 13 : 10)
  }
}
