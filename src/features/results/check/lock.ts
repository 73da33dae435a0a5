import { LRUCache } from 'lru-cache'
import { fieldsOf, listOf } from '#model/json.ts'
import type { PropertyFilter } from '#model/query-kinds/common.schema.ts'
import { findKind } from '#model/query-kinds/index.ts'
import type { HogQLQuery } from '#model/query-kinds/sql.schema.ts'
import { readsFilteredEvents } from '#server/analytics/queries/sql/reads-filtered.ts'
import { ApiError, forbidden } from '#server/errors.ts'
import { canNarrow } from './narrow-dates.ts'
import type { PreparedQuery } from './prepare-queries.ts'

/** Filters that every query must obey, or show nothing. */
export interface Lock {
  readonly properties: readonly PropertyFilter[]
  /** Whether the dates are locked too. */
  readonly hasDates: boolean
}

/** The problem of a query that cannot obey a lock. One value, so that it can be told from others. */
export const NOT_LOCKABLE = forbidden(
  'Not shown: its query cannot be limited to the data of this page.',
)

/** Replaces a query that cannot obey the lock by a problem. */
export async function toLocked(
  query: PreparedQuery | ApiError,
  lock: Lock,
): Promise<PreparedQuery | ApiError> {
  if (query instanceof ApiError) return query
  return (await canLock(query, lock)) ? query : NOT_LOCKABLE
}

async function canLock({ source }: PreparedQuery, { hasDates }: Lock): Promise<boolean> {
  const kind = findKind(source.kind)
  if (!kind || (hasDates && !canNarrow(source))) return false
  if (source.kind === 'HogQLQuery') return readsFiltered((source as HogQLQuery).query)
  // filters of visits choose visits, whose other events they do not match, and so do properties of sessions
  if (kind.isOfWebPage || breaksDownSessions(source)) return false
  return !kind.textField && !kind.listNotApplied?.(source).includes('properties')
}

function breaksDownSessions(source: object): boolean {
  const { breakdown_type, breakdowns } = fieldsOf(fieldsOf(source).breakdownFilter)
  return [breakdown_type, ...listOf(breakdowns).map((each) => fieldsOf(each).type)].includes(
    'session',
  )
}

const known = new LRUCache<string, boolean>({ max: 1000 })

/** Remembers the answer, because parsing takes longer than everything else about a query whose result is cached. */
async function readsFiltered(text: string): Promise<boolean> {
  const isFiltered = known.get(text) ?? (await readsFilteredEvents(text).catch(toNo))
  known.set(text, isFiltered)
  return isFiltered
}

/** SQL that cannot be parsed has no result either. */
function toNo(error: unknown): boolean {
  if (error instanceof ApiError) return false
  throw error
}
