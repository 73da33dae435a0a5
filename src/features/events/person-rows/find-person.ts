import type { Caller } from '#server/access/guard.ts'
import type { EventStore } from '#server/analytics/event-store.ts'
import { notFound } from '#server/errors.ts'
import { toId, toUuid } from '#server/http/ids.ts'
import { findPersonRow, hasDistinctId, hasNumber, hasUuid, type PersonRow } from './store.ts'

export async function getPerson(
  { events }: { readonly events: EventStore },
  { projectId }: Caller,
  id: string,
): Promise<PersonRow> {
  const person = await findPerson(events, projectId, id)
  if (!person) throw notFound('Person')
  return person
}

/** Finds a person by number or UUID, or else by distinct ID: a distinct ID can look like either. */
export async function findPerson(
  events: EventStore,
  projectId: number,
  id: string,
): Promise<PersonRow | undefined> {
  const [number, uuid] = [toNumber(id), toUuid(id)]
  const conditions = [
    ...(number === undefined ? [] : [hasNumber(number)]),
    ...(uuid === undefined ? [] : [hasUuid(uuid)]),
    hasDistinctId(id),
  ]
  for (const condition of conditions) {
    const person = await findPersonRow(events, projectId, condition)
    if (person) return person
  }
  return undefined
}

/** Persons that were split off have negative numbers. */
function toNumber(text: string): number | undefined {
  const number = toId(text.replace(/^-/, ''))
  return number && text.startsWith('-') ? -number : number
}
