import type { Caller } from '#server/access/guard.ts'
import type { PageRange, Slice } from '#server/db/page-range.ts'
import { notFound } from '#server/errors.ts'
import type { JsonText } from '#server/http/json-text.ts'
import { getPerson } from '../person-rows/find-person.ts'
import { toPersonJson } from '../person-rows/representation.ts'
import type { PersonQuery } from '../person-rows/schema.ts'
import { listFoundPersons } from '../person-rows/search-store.ts'
import { countPersons, hasNumber } from '../person-rows/store.ts'
import { type CohortDeps, getCohortRow } from './cohorts.ts'
import { mapCohorts } from './definitions.ts'
import { toRepresentations } from './representation.ts'
import type { Cohort } from './schema.ts'
import { selectPersons } from './select-persons.ts'
import { listLiveCohorts } from './store.ts'

/** Lists the persons of a cohort, filtered like all persons. */
export async function listCohortPersons(
  { db, events }: CohortDeps,
  caller: Caller,
  { id, query }: { readonly id: string; readonly query: PersonQuery },
  range: PageRange,
): Promise<Slice<JsonText>> {
  const { projectId } = caller
  const row = await getCohortRow(db, caller, id)
  if (row.deleted) throw notFound('Cohort')
  const selection = await selectPersons(db, projectId, { ...query, cohort: row.id })
  const persons = await listFoundPersons(events, projectId, selection, range)
  return { count: persons.count, results: persons.results.map((person) => toPersonJson(person)) }
}

/** Lists the cohorts that a person is in. */
export async function listCohortsOfPerson(
  deps: CohortDeps,
  caller: Caller,
  personId: string,
): Promise<Cohort[]> {
  const { db, events } = deps
  const { projectId } = caller
  const { number } = await getPerson(deps, caller, personId)
  const rows = await listLiveCohorts(db, projectId)
  const isMember = await mapCohorts(db, projectId, rows, async (_, persons) => {
    const conditions = [...persons.conditions, hasNumber(number)]
    return (await countPersons(events, projectId, { ...persons, conditions })) > 0
  })
  const found = rows.filter((_, index) => isMember[index])
  return toRepresentations(
    db,
    found.map((row) => ({ row, count: null })),
  )
}
