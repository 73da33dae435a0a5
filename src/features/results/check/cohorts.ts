import type { Db } from '#server/db/schema.ts'
import { withNamedCohorts } from '#server/features/events/cohorts/definitions.ts'
import { readCohortRevision } from '#server/features/events/cohorts/store.ts'
import type { Computation } from '../compute/compute.ts'
import type { QueryRequest } from './prepare-queries.ts'

const mentions = new WeakMap<object, boolean>()

/** Returns whether a query could name a cohort. Searching its text is cheaper than checking each filter or SQL. */
export function mentionsCohort(value: object): boolean {
  const known = mentions.get(value)
  if (known !== undefined) return known
  const isMentioned = /cohort/i.test(JSON.stringify(value))
  mentions.set(value, isMentioned)
  return isMentioned
}

/** Reads the revision of the project's cohorts, on which the results of queries that name any depend. */
export const findCohortRevision = async (
  db: Db,
  projectId: number,
  requests: readonly QueryRequest[],
  testAccountFilters: object,
): Promise<number> =>
  [...requests, testAccountFilters].some(mentionsCohort) ? readCohortRevision(db, projectId) : 0

/** Loads the cohorts that a query names. */
export const loadContext = (
  db: Db,
  { projectId, source, context }: Computation,
): Promise<Computation['context']> =>
  withNamedCohorts(db, projectId, context, [source, context.testAccountFilters])
