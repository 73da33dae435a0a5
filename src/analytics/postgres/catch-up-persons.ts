import { sql } from 'kysely'
import type { Db, Tx } from '#server/db/schema.ts'
import type { GroupEdit, OnProgress, PersonEdit } from '../event-store.ts'
import { GROUP_EVENT } from '../groups/group-keys.ts'
import { applyGroupEdit } from '../groups/groups.ts'
import { type Arrival, changePersons } from './arrivals.ts'
import { catchUpFacts } from './catch-up-facts.ts'
import { catchUpGroups } from './catch-up-groups.ts'
import { changeGroups } from './change-groups.ts'
import { applyEdit } from './edit-person.ts'
import { toGroupTables } from './group-tables.ts'
import { insertPersonsOf } from './insert-persons.ts'
import { DERIVED } from './kept-persons.ts'
import { lockAllPersons } from './locks.ts'

/** The events per transaction, so that an interrupted process can resume and several can share the work. */
const STEP = 20_000

/**
 * Derives the persons and groups of events that a version without persons has stored, or that `forgetPersons` has left. Returns
 * whether there were any.
 */
export async function catchUpPersons(db: Db, onProgress: OnProgress): Promise<boolean> {
  const { rows: marks } = await sql<{ lacks_facts: boolean }>`
    select facts_up_to is not null as lacks_facts from event_store
    where persons_up_to is not null or facts_up_to is not null or not has_groups`.execute(db)
  if (marks.length === 0) return false
  const { rows: events } = await sql<{
    count: number
  }>`select count(*) as count from events`.execute(db)
  const total = events[0]?.count ?? 0
  let done = 0
  const onStep = (count: number) => {
    if (count === 0 || done === total) return // the last step may find nothing
    done = Math.min(done + count, total)
    onProgress(done, total)
  }
  await catchUpFacts(db, onStep)
  await catchUpGroups(db, forget)
  if (!marks[0]?.lacks_facts && (await findMark(db)) === null) return false
  for (let count = STEP; count >= STEP; onStep(count)) {
    count = await db.transaction().execute(deriveStep)
  }
  await assignPersons(db)
  return true
}

/** Deletes all persons and groups except those that `keepPersons` saved. The next `catchUpPersons` derives them again. */
export const forgetPersons = (db: Db): Promise<void> =>
  db.transaction().execute(async (tx) => {
    await lockAllPersons(tx)
    await forget(tx)
  })

export async function rebuildPersons(db: Db, onProgress: OnProgress): Promise<void> {
  await forgetPersons(db)
  await catchUpPersons(db, onProgress)
}

/** The caller holds the lock of all persons. */
export async function forget(tx: Tx): Promise<void> {
  await sql.raw(`truncate ${DERIVED.join()}`).execute(tx)
  // types of groups stay, and those that were refused
  await sql`delete from identity_warnings where type <> 'group_type_limit_exceeded'`.execute(tx)
  for (const table of DERIVED) {
    await sql.raw(`insert into ${table} select * from ${table}_base`).execute(tx)
  }
  await sql`create index if not exists facts_by_seq on facts (seq)`.execute(tx)
  await sql`update event_store set persons_up_to = -1`.execute(tx) // an edit before the first event has 0
}

interface Fact extends Omit<Arrival, 'groupTypes'> {
  readonly seq: number
  readonly event: string
}

interface Edit {
  readonly seq: number
  readonly projectId: number
  readonly edit: string
  readonly isOfGroup: boolean
}

async function findMark(tx: Db): Promise<number | null> {
  const { rows } = await sql<{ mark: number | null }>`
    select persons_up_to as mark from event_store`.execute(tx)
  return rows[0]?.mark ?? null
}

/** Returns the number of events, `STEP` unless there are no more. */
async function deriveStep(tx: Tx): Promise<number> {
  await lockAllPersons(tx)
  const mark = await findMark(tx)
  if (mark === null) return 0 // another server was faster
  const { rows: facts } = await sql<Fact>`
    select seq, project_id as "projectId", uuid, event, distinct_id as "distinctId",
      floor(extract(epoch from timestamp) * 1000)::bigint as timestamp,
      is_personless or seq <= coalesce(up_to, 0) as "isPersonless",
      may_change_person and seq > coalesce(up_to, 0) as "mayChangePerson",
      event = ${GROUP_EVENT} and seq > coalesce(up_to, 0) as "changesGroup"
    from facts left join person_bases using (project_id)
    where seq > ${mark} order by seq limit ${sql.lit(STEP)}`.execute(tx)
  const last = facts.length < STEP ? null : (facts.at(-1)?.seq ?? null)
  const { rows: edits } = await sql<Edit>`
    select seq, project_id as "projectId", edit, "isOfGroup" from (
      select seq, position, project_id, edit, false as "isOfGroup" from person_edits
      union all select seq, position, project_id, edit, true from group_edits
    ) edits left join person_bases using (project_id)
    where seq > ${mark} and seq > coalesce(up_to, -1) and (${last}::bigint is null or seq <= ${last}::bigint)
    order by seq, position`.execute(tx)
  let from = 0
  for (const edit of edits) {
    const next = facts.findIndex(({ seq }) => seq > edit.seq)
    const to = next === -1 ? facts.length : next
    await derive(tx, facts.slice(from, to))
    await repeatEdit(tx, edit)
    from = to
  }
  await derive(tx, facts.slice(from))
  const upTo = Math.max(mark, facts.at(-1)?.seq ?? 0, edits.at(-1)?.seq ?? 0)
  await sql`update event_store set persons_up_to = ${upTo}`.execute(tx)
  return facts.length
}

async function repeatEdit(tx: Tx, { projectId, edit, isOfGroup }: Edit): Promise<void> {
  const given: unknown = JSON.parse(edit)
  if (isOfGroup) await applyGroupEdit(toGroupTables(tx), projectId, given as GroupEdit)
  else await applyEdit(tx, projectId, given as PersonEdit)
}

async function derive(tx: Tx, facts: readonly Fact[]): Promise<void> {
  if (facts.length === 0) return
  const arrivals = facts.map((fact) => ({ ...fact, groupTypes: [] })) // types are known
  await insertPersonsOf(
    tx,
    arrivals,
    facts.map(({ seq }) => seq),
  )
  const changes = arrivals.filter((fact) => fact.mayChangePerson || fact.changesGroup)
  const texts = await readProperties(tx, changes)
  const numbered = changes.map((arrival) => {
    const { seq, event } = arrival
    return { arrival, seq, row: { event, properties: texts.get(seq) ?? '{}' } }
  })
  await changePersons(tx, numbered)
  await changeGroups(tx, numbered)
}

async function readProperties(tx: Tx, facts: readonly Fact[]): Promise<Map<number, string>> {
  const { rows } = await sql<{ seq: number; properties: string }>`
    select seq, properties::text as properties
    from unnest(
      ${facts.map(({ seq }) => seq)}::bigint[],
      ${facts.map(({ projectId }) => projectId)}::bigint[],
      ${facts.map(({ timestamp }) => new Date(timestamp).toISOString())}::timestamptz[],
      ${facts.map(({ uuid }) => uuid)}::uuid[]
    ) as given (seq, project_id, timestamp, uuid)
    join events using (project_id, timestamp, uuid)`.execute(tx)
  return new Map(rows.map(({ seq, properties }) => [seq, properties]))
}

/** Updates the persons of facts that have changed, until none is left. */
async function assignPersons(db: Db): Promise<void> {
  for (let mark: number | null = 0; mark !== null; ) {
    const after: number = mark
    mark = await db.transaction().execute((tx) => assignStep(tx, after))
  }
}

/** Returns the number of the last fact, or null if all are done. */
async function assignStep(tx: Tx, after: number): Promise<number | null> {
  await lockAllPersons(tx)
  while ((await deriveStep(tx)) >= STEP); // events that arrived meanwhile
  if ((await findMark(tx)) === null) return null // another server was faster
  const { rows } = await sql<{ last: number | null }>`
    with part as materialized (
      select seq, timestamp, ids.person
      from (select * from facts where seq > ${after} order by seq limit ${sql.lit(STEP)}) facts
      join person_ids ids using (project_id, distinct_id)
    ), assigned as (
      update facts set person = part.person from part
      where facts.seq = part.seq and facts.timestamp = part.timestamp and facts.person <> part.person
    )
    select max(seq) as last from part`.execute(tx)
  const last = rows[0]?.last ?? null
  if (last !== null) return last
  await sql`update event_store set persons_up_to = null`.execute(tx)
  await sql`update event_versions set version = version + 1`.execute(tx)
  await sql`drop index if exists facts_by_seq`.execute(tx)
  return null
}
