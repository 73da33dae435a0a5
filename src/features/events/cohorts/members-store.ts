import { sql } from 'kysely'
import { toStoredText } from '#server/analytics/event-row.ts'
import type { EventStore } from '#server/analytics/event-store.ts'
import { toList } from '#server/analytics/queries/cohorts.ts'
import { countRows } from '#server/db/count-rows.ts'
import type { Db, Tx } from '#server/db/schema.ts'
import { chunksOf, MAX_VALUES_PER_STATEMENT } from '#server/db/values.ts'

export interface CohortMember {
  readonly distinctId: string
  /** null: no person has the ID yet. */
  readonly personUuid: string | null
}

/** A static cohort of a project. */
export interface StaticCohort {
  readonly id: number
  readonly project_id: number
}

export async function listMemberIds(db: Db, cohort: StaticCohort): Promise<string[]> {
  const rows = await selectMembers(db, cohort)
    .select('distinct_id')
    .orderBy('distinct_id')
    .execute()
  return rows.map(({ distinct_id }) => distinct_id)
}

export const countMembers = (db: Db, cohort: StaticCohort): Promise<number> =>
  countRows(selectMembers(db, cohort))

export async function countMembersOfAll(
  db: Db,
  projectId: number,
  cohortIds: readonly number[],
): Promise<number> {
  if (cohortIds.length === 0) return 0
  const ofProject = db.selectFrom('cohort_members').where('project_id', '=', projectId)
  return countRows(ofProject.where('cohort_id', 'in', cohortIds))
}

const selectMembers = (db: Db, { id, project_id }: StaticCohort) =>
  db.selectFrom('cohort_members').where('project_id', '=', project_id).where('cohort_id', '=', id)

const BATCH = Math.floor(MAX_VALUES_PER_STATEMENT / 4)

/** Adds members, except for existing ones. */
export async function insertMembers(
  tx: Tx,
  { id, project_id }: StaticCohort,
  members: readonly CohortMember[],
): Promise<void> {
  for (const batch of chunksOf(members, BATCH)) {
    const rows = batch.map(({ distinctId, personUuid }) => ({
      project_id,
      cohort_id: id,
      distinct_id: distinctId,
      person_uuid: personUuid,
    }))
    await tx
      .insertInto('cohort_members')
      .values(rows)
      .onConflict((conflict) => conflict.columns(['cohort_id', 'distinct_id']).doNothing())
      .execute()
  }
}

/** Removes IDs from one static cohort, or from all of the project. Returns how many there were. */
export async function deleteMembers(
  tx: Tx,
  projectId: number,
  distinctIds: readonly string[],
  cohortId?: number,
): Promise<number> {
  let deleted = 0
  for (const batch of chunksOf(distinctIds, MAX_VALUES_PER_STATEMENT)) {
    const { numDeletedRows } = await tx
      .deleteFrom('cohort_members')
      .where('project_id', '=', projectId)
      .where('distinct_id', 'in', batch)
      .$if(cohortId !== undefined, (found) => found.where('cohort_id', '=', Number(cohortId)))
      .executeTakeFirstOrThrow()
    deleted += Number(numDeletedRows)
  }
  return deleted
}

/** Finds the persons of distinct IDs. IDs without a person stay members until there is one. */
export async function findMembersById(
  store: EventStore,
  projectId: number,
  distinctIds: readonly string[],
): Promise<CohortMember[]> {
  const rows = await store.query(projectId, {
    properties: [],
    toSql: (table) =>
      sql`select i.distinct_id, p.uuid::text as uuid from ${table.personIds} i
        join ${table.persons} p on p.number = i.person where i.distinct_id in (${toList(distinctIds)})`,
  })
  const uuids = new Map(rows.map(({ distinct_id, uuid }) => [distinct_id, uuid as string]))
  return distinctIds.map((distinctId) => ({
    distinctId,
    personUuid: uuids.get(distinctId) ?? null,
  }))
}

/** Finds one distinct ID of each person, by its UUID. */
export async function findMembersByUuid(
  store: EventStore,
  projectId: number,
  uuids: readonly string[],
): Promise<CohortMember[]> {
  const rows = await store.query(projectId, {
    properties: [],
    toSql: (table) =>
      sql`select p.uuid::text as uuid, min(i.distinct_id) as distinct_id from ${table.persons} p
        join ${table.personIds} i on i.person = p.number
        where p.uuid::text in (${toList(uuids)}) group by p.uuid`,
  })
  return rows.map(({ distinct_id, uuid }) => ({
    distinctId: distinct_id as string,
    personUuid: uuid as string,
  }))
}

/** Lists all IDs of the person that has one of them. */
export async function listDistinctIds(
  store: EventStore,
  projectId: number,
  distinctId: string,
): Promise<string[]> {
  const rows = await store.query(projectId, {
    properties: [],
    toSql: (table) =>
      sql`select i.distinct_id from ${table.personIds} i where i.person in (
        select i.person from ${table.personIds} i where i.distinct_id = ${toStoredText(distinctId)}::text
      )`,
  })
  return rows.map(({ distinct_id }) => distinct_id as string)
}
