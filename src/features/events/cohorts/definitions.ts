import { sql } from 'kysely'
import type { EventStore } from '#server/analytics/event-store.ts'
import {
  type Cohort,
  type Cohorts,
  cohortProperties,
  conditionsIn,
} from '#server/analytics/queries/cohort-definitions.ts'
import { type CohortContext, toCohortCondition } from '#server/analytics/queries/cohorts.ts'
import type { Db } from '#server/db/schema.ts'
import { getQueryContext } from '#server/features/people/projects/query-context.ts'
import { countPersons, type PersonSelection } from '../persons/store.ts'
import { listMemberIds } from './members-store.ts'
import { type CohortRow, listLiveCohorts } from './store.ts'

/** Loads the cohorts with these IDs that exist, and those that they name in turn. */
export async function loadCohorts(
  db: Db,
  projectId: number,
  ids: readonly number[],
): Promise<Cohorts> {
  if (ids.length === 0) return new Map()
  const rows = new Map((await listLiveCohorts(db, projectId)).map((row) => [row.id, row]))
  const cohorts = new Map<number, Cohort>()
  for (let wanted = ids; wanted.length > 0; ) {
    const found = wanted.flatMap((id) => (cohorts.has(id) ? [] : (rows.get(id) ?? [])))
    for (const row of found) cohorts.set(row.id, await toCohort(db, row))
    wanted = found.flatMap((row) => namedBy(cohorts.get(row.id) as Cohort))
  }
  return cohorts
}

export async function toCohort(db: Db, row: CohortRow): Promise<Cohort> {
  const { id, name, is_static, filters } = row
  if (is_static) return { id, name, definition: { members: await listMemberIds(db, row) } }
  return { id, name, definition: { group: JSON.parse(filters).properties } }
}

/** Returns the IDs of the cohorts that a cohort names. */
export const namedBy = ({ definition }: Cohort): number[] =>
  'members' in definition
    ? []
    : conditionsIn(definition.group).flatMap(({ condition }) =>
        condition.type === 'cohort' ? [condition.value] : [],
      )

/** Selects the persons of a cohort. `cohorts` has the cohort and those that it names. */
export async function selectCohortPersons(
  db: Db,
  projectId: number,
  id: number,
  cohorts: Cohorts,
): Promise<PersonSelection> {
  const context: CohortContext = { ...(await getQueryContext(db, projectId)), cohorts }
  return {
    properties: cohortProperties(cohorts),
    conditions: [
      (table) => {
        const numbers = toCohortCondition(table, id, context, 'filters')
        return sql`p.number in (${numbers})`
      },
    ],
  }
}

/** Counts the persons of a cohort just now. */
export async function countCohort(
  { db, events }: { readonly db: Db; readonly events: EventStore },
  projectId: number,
  id: number,
  cohorts: Cohorts,
): Promise<number> {
  return countPersons(events, projectId, await selectCohortPersons(db, projectId, id, cohorts))
}
