import type { JsonObject } from '#model/json.ts'
import type { Caller } from '#server/access/guard.ts'
import { toStoredText } from '#server/analytics/event-row.ts'
import type { EventStore, PersonEdit } from '#server/analytics/event-store.ts'
import { MAX_PROPERTIES_LENGTH } from '#server/analytics/identity/identity.ts'
import { changeProject } from '#server/db/change.ts'
import type { PageRange, Slice } from '#server/db/page-range.ts'
import type { Db } from '#server/db/schema.ts'
import { invalid, notFound } from '#server/errors.ts'
import { defineLog } from '#server/features/activity/log.ts'
import type { Change } from '#server/features/activity/schema.ts'
import { toChange } from '#server/features/activity/store.ts'
import type { JsonText } from '#server/http/json-text.ts'
import { leaveCohorts } from '../cohorts/members.ts'
import { listDistinctIds } from '../cohorts/members-store.ts'
import { selectPersons } from '../cohorts/select-persons.ts'
import { getPerson } from '../person-rows/find-person.ts'
import { toPersonJson, toPersonName } from '../person-rows/representation.ts'
import type { PersonQuery } from '../person-rows/schema.ts'
import { listFoundPersons } from '../person-rows/search-store.ts'
import { findPersonRow, hasDistinctId, type PersonRow } from '../person-rows/store.ts'

export interface PersonDeps {
  readonly db: Db
  readonly events: EventStore
}

export async function listPersons(
  { db, events }: PersonDeps,
  { projectId }: Caller,
  query: PersonQuery,
  range: PageRange,
): Promise<Slice<JsonText>> {
  const selection = await selectPersons(db, projectId, query)
  const { count, results } = await listFoundPersons(events, projectId, selection, range)
  return { count, results: results.map((row) => toPersonJson(row)) }
}

export interface PropertyChanges {
  readonly id: string
  readonly set?: JsonObject
  readonly unset?: readonly string[]
}

export async function updatePerson(
  deps: PersonDeps,
  caller: Caller,
  { id, set = {}, unset = [] }: PropertyChanges,
): Promise<PersonRow> {
  const before = await getPerson(deps, caller, id)
  requireSize(before, set)
  await editPerson(deps, caller, { kind: 'update', distinctId: firstId(before), set, unset })
  const after = await getPerson(deps, caller, String(before.number))
  const changes = log.listChanges(before, after)
  if (changes.length > 0) await logPerson(deps, caller, after, 'updated', changes)
  return after
}

function requireSize(person: PersonRow, set: JsonObject): void {
  const length = JSON.stringify({ ...toProperties(person), ...set }).length
  if (length <= MAX_PROPERTIES_LENGTH) return
  const detail = `A person's properties may have at most ${MAX_PROPERTIES_LENGTH} characters of JSON.`
  throw invalid('properties', detail, 'max_length')
}

export interface Split {
  readonly id: string
  readonly mainDistinctId: string | undefined
}

/** Moves each distinct ID but one to a new person. */
export async function splitPerson(
  deps: PersonDeps,
  caller: Caller,
  { id, mainDistinctId }: Split,
): Promise<void> {
  const person = await getPerson(deps, caller, id)
  const distinctId = toStoredText(mainDistinctId ?? firstId(person))
  const owner = await findPersonRow(deps.events, caller.projectId, hasDistinctId(distinctId))
  if (owner?.number !== person.number) {
    throw invalid('main_distinct_id', 'This is not a distinct ID of the person.')
  }
  await editPerson(deps, caller, { kind: 'split', distinctId })
  const ids = toChange('Person', 'distinct_ids', person.distinctIds, [distinctId])
  await logPerson(deps, caller, person, 'split_person', [ids])
}

/** Deletes a person. If the events stay, each of its IDs then counts as a separate person. */
export async function removePerson(
  deps: PersonDeps,
  caller: Caller,
  { id, withEvents }: { readonly id: string; readonly withEvents: boolean },
): Promise<void> {
  const person = await getPerson(deps, caller, id)
  const distinctId = firstId(person)
  const distinctIds = await listDistinctIds(deps.events, caller.projectId, distinctId)
  await leaveCohorts(deps.db, caller.projectId, distinctIds)
  const deleted = withEvents ? await deps.events.deletePerson(caller.projectId, distinctId) : 0
  if (!withEvents) await editPerson(deps, caller, { kind: 'delete', distinctId })
  const changes = withEvents ? [toChange('Person', 'events', deleted, null)] : []
  await logPerson(deps, caller, person, 'deleted', changes)
}

async function editPerson(
  { events }: PersonDeps,
  { projectId }: Caller,
  edit: PersonEdit,
): Promise<void> {
  if (!(await events.editPerson(projectId, edit))) throw notFound('Person')
}

const firstId = ({ distinctIds }: PersonRow): string => distinctIds[0] ?? ''

const toProperties = ({ properties }: PersonRow): JsonObject => JSON.parse(properties)

const log = defineLog<PersonRow>('Person', {
  toItem: (person) => ({ id: person.number, name: toPersonName(person) }),
  toLogged: toProperties,
})

/** Logs after the change, because the events are not in this transaction's database. */
const logPerson = (
  { db }: PersonDeps,
  caller: Caller,
  person: PersonRow,
  activity: string,
  changes: Change[],
): Promise<void> =>
  changeProject(db, caller.projectId, (tx) =>
    log.logActivity(tx, caller, person, activity, changes),
  )
