import type { Db } from '#server/db/schema.ts'
import { getQueryContext } from '#server/features/accounts/projects/query-context.ts'
import { parsePersonQuery, toSelection } from '../person-rows/conditions.ts'
import type { PersonQuery } from '../person-rows/schema.ts'
import type { SearchedPersons } from '../person-rows/search.ts'
import { cohortIdsIn, withCohorts } from './definitions.ts'

/** Selects the persons that the parameters of a list name, with the cohorts among them. */
export async function selectPersons(
  db: Db,
  projectId: number,
  query: PersonQuery,
): Promise<SearchedPersons> {
  const parsed = parsePersonQuery(query)
  const ids = [...cohortIdsIn(parsed.properties), ...(parsed.cohort ? [parsed.cohort] : [])]
  const context = await getQueryContext(db, projectId)
  return toSelection(parsed, await withCohorts(db, projectId, context, ids))
}
