import type { Caller } from '#server/access/guard.ts'
import { changeProject } from '#server/db/change.ts'
import type { Db, Tx } from '#server/db/schema.ts'
import { conflict, invalid } from '#server/errors.ts'
import { toChange } from '#server/features/activity/store.ts'
import { findPerson } from '../person-rows/find-person.ts'
import { toPersonName } from '../person-rows/representation.ts'
import { cohortLog } from './activity.ts'
import { type CohortDeps, getCohortRow, toCohortResponse } from './cohorts.ts'
import { addMembers, findMembers } from './members.ts'
import { deleteMembers, listDistinctIds } from './members-store.ts'
import type { Cohort, MemberAddition } from './schema.ts'
import { type CohortRow, updateCohort } from './store.ts'

/** Adds persons to a static cohort. */
export async function addCohortMembers(
  deps: CohortDeps,
  caller: Caller,
  { id, body }: { readonly id: string; readonly body: MemberAddition },
): Promise<Cohort> {
  const { projectId } = caller
  await getStaticCohort(deps.db, caller, id)
  const named = { ...body, _create_static_person_ids: body.person_ids ?? [] }
  const members = await findMembers(deps.events, projectId, named, 'person_ids')
  const row = await changeProject(deps.db, projectId, async (tx) => {
    const before = await getStaticCohort(tx, caller, id)
    await addMembers(tx, before, members)
    return recordChange(tx, caller, before, { added: members.length })
  })
  return toCohortResponse(deps, row)
}

/** Removes a person with all its IDs from a static cohort. */
export async function removeCohortMember(
  deps: CohortDeps,
  caller: Caller,
  { id, personId }: { readonly id: string; readonly personId: string },
): Promise<Cohort> {
  const { projectId } = caller
  await getStaticCohort(deps.db, caller, id)
  const person = await findPerson(deps.events, projectId, personId)
  const ids = person?.distinctIds[0]
    ? await listDistinctIds(deps.events, projectId, person.distinctIds[0])
    : [personId]
  const row = await changeProject(deps.db, projectId, async (tx) => {
    const before = await getStaticCohort(tx, caller, id)
    const deleted = await deleteMembers(tx, projectId, ids, before.id)
    if (deleted === 0) throw invalid('person_id', 'The person is not in the cohort.')
    return recordChange(tx, caller, before, { removed: person ? toPersonName(person) : personId })
  })
  return toCohortResponse(deps, row)
}

async function getStaticCohort(db: Db, caller: Caller, id: string): Promise<CohortRow> {
  const row = await getCohortRow(db, caller, id)
  if (!row.is_static) throw conflict('The members of a dynamic cohort follow from its filters.')
  return row
}

async function recordChange(
  tx: Tx,
  caller: Caller,
  cohort: CohortRow,
  { removed, added }: { readonly removed?: string; readonly added?: number },
): Promise<CohortRow> {
  const row = await updateCohort(tx, cohort, {})
  const changes = [toChange('Cohort', 'members', removed, added)]
  await cohortLog.logActivity(tx, caller, row, 'updated', changes)
  return row
}
