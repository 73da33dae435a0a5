import { createHash } from 'node:crypto'
import type { Context } from '#server/analytics/queries/plan.ts'
import type { ValidQuery } from '#server/analytics/queries/run-query.ts'
import { mentionsCohort } from '../check/cohorts.ts'

/** Increment it when a release changes the result of an unchanged query. */
const REVISION = 2

/** Hashes everything a result depends on except the events and the time. */
export function toCacheKey(
  projectId: number,
  source: ValidQuery,
  context: Pick<Context, 'zone' | 'weekStart' | 'testAccountFilters'>,
  cohortRevision: number,
): string {
  const { zone, weekStart } = context
  const testAccountFilters = 'filterTestAccounts' in source ? context.testAccountFilters : null
  const cohorts = [source, testAccountFilters ?? []].some(mentionsCohort) ? [cohortRevision] : []
  const parts = [
    REVISION,
    ...cohorts,
    projectId,
    zone,
    weekStart,
    testAccountFilters,
    sortKeys(source),
  ]
  return createHash('sha256').update(JSON.stringify(parts)).digest('base64url')
}

/** Sorts object keys, so that their order in the request does not change the hash. */
function sortKeys(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sortKeys)
  if (typeof value !== 'object' || value === null) return value
  const entries = Object.entries(value).toSorted(([a], [b]) => (a < b ? -1 : 1))
  return Object.fromEntries(entries.map(([key, each]) => [key, sortKeys(each)]))
}
