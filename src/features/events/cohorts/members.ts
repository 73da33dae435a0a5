import { toStoredText } from '#server/analytics/event-row.ts'
import type { EventStore } from '#server/analytics/event-store.ts'
import { changeProject } from '#server/db/change.ts'
import type { Db, Tx } from '#server/db/schema.ts'
import { invalid } from '#server/errors.ts'
import { toUuid } from '#server/http/ids.ts'
import { MAX_MEMBERS } from './fields.ts'
import {
  type CohortMember,
  countMembers,
  deleteMembers,
  findMembersById,
  findMembersByUuid,
  insertMembers,
  type StaticCohort,
} from './members-store.ts'

interface GivenMembers {
  readonly distinct_ids?: readonly string[]
  readonly _create_static_person_ids?: readonly string[]
}

/** Finds the members that a request names. Unknown distinct IDs become members when they are first seen. */
export async function findMembers(
  events: EventStore,
  projectId: number,
  { distinct_ids = [], _create_static_person_ids: personIds = [] }: GivenMembers,
  personField = '_create_static_person_ids',
): Promise<CohortMember[]> {
  const ids = [...new Set(distinct_ids.map(toStoredText))].filter((id) => id !== '')
  const uuids = personIds.map((id, index) => {
    const uuid = toUuid(id)
    if (uuid === undefined) throw invalid(`${personField}__${index}`, 'Must be a valid UUID.')
    return uuid
  })
  const byUuid = uuids.length > 0 ? await findMembersByUuid(events, projectId, uuids) : []
  const found = new Set(byUuid.map(({ personUuid }) => personUuid))
  const missing = uuids.findIndex((uuid) => !found.has(uuid))
  if (missing >= 0) {
    const detail = `Person ${uuids[missing]} does not exist.`
    throw invalid(`${personField}__${missing}`, detail, 'does_not_exist')
  }
  const byId = ids.length > 0 ? await findMembersById(events, projectId, ids) : []
  return [...byUuid, ...byId]
}

/** Adds members to a static cohort, up to a limit: each query that uses the cohort reads all of them. */
export async function addMembers(
  tx: Tx,
  cohort: StaticCohort,
  members: readonly CohortMember[],
): Promise<void> {
  if (members.length === 0) return
  await insertMembers(tx, cohort, members)
  if ((await countMembers(tx, cohort)) > MAX_MEMBERS) {
    throw invalid('distinct_ids', `A static cohort has at most ${MAX_MEMBERS} members.`)
  }
}

/**
 * Removes a person from all static cohorts before the person is deleted. If the process dies in between, the request can be
 * repeated; after the deletion, nothing would lead to the memberships, and a new person with one of the IDs would have them.
 */
export async function leaveCohorts(
  db: Db,
  projectId: number,
  distinctIds: readonly string[],
): Promise<void> {
  if (distinctIds.length === 0) return
  await changeProject(db, projectId, (tx) => deleteMembers(tx, projectId, distinctIds))
}
