import type { JsonObject } from '#model/json.ts'
import {
  createIdentity,
  type DistinctId,
  type PersonState,
} from '#server/analytics/identity/identity.ts'
import { toIdentityEvent } from '#server/analytics/identity/identity-event.ts'
import { IDENTITY_KEYS } from '#server/analytics/identity/identity-keys.ts'

export interface Sent {
  readonly event?: string
  readonly id: string
  readonly properties?: JsonObject
}

export const identify = (id: string, anonymousId: unknown, more: JsonObject = {}): Sent => ({
  event: '$identify',
  id,
  properties: { $anon_distinct_id: anonymousId, ...more },
})

export const alias = (id: string, other: unknown, event = '$create_alias'): Sent => ({
  event,
  id,
  properties: { alias: other },
})

export const mergeDangerously = (id: string, other: string): Sent =>
  alias(id, other, '$merge_dangerously')

export const set = (id: string, properties: JsonObject): Sent => ({ id, properties })

/** Returns text unchanged and anything else as JSON, as both stores do. */
const toText = (value: unknown): string | null =>
  typeof value === 'string' || value === undefined || value === null
    ? (value ?? null)
    : JSON.stringify(value)

/** Applies events in order. The first event of an ID creates its person, at that event's second. */
export function apply(...events: readonly Sent[]) {
  const ids: DistinctId[] = []
  const persons: PersonState[] = []
  for (const [index, { id: distinctId, properties }] of events.entries()) {
    if (ids.some((known) => known.distinctId === distinctId)) continue
    const number = index + 1
    ids.push({ projectId: 1, distinctId, person: number })
    persons.push({
      number,
      projectId: 1,
      since: number,
      createdAt: number,
      isIdentified: false,
      hasProfile: properties?.$process_person_profile !== false,
      properties: {},
    })
  }
  const identity = createIdentity(ids, persons)
  for (const [index, { event = 'visited', id, properties = {} }] of events.entries()) {
    const texts = IDENTITY_KEYS.map((key) => toText(properties[key]))
    identity.apply(toIdentityEvent({ seq: index + 1, projectId: 1, distinctId: id, event }, texts))
  }
  const { newIds, moves, changed, warnings } = identity.changes()
  const current = new Map(persons.map((person) => [person.number, person]))
  for (const person of changed) current.set(person.number, person)
  for (const { from } of moves) current.delete(from)
  const toCurrent = (number: number) => moves.find(({ from }) => from === number)?.to ?? number
  return {
    warnings: warnings.map(({ type, distinctId, otherId }) => [type, distinctId, otherId]),
    persons: [...current.values()].map((person) => ({
      ...person,
      ids: [...ids, ...newIds]
        .filter((id) => toCurrent(id.person) === person.number)
        .map(({ distinctId }) => distinctId),
    })),
  }
}

export const idsOf = (...events: readonly Sent[]) => apply(...events).persons.map(({ ids }) => ids)

export const propertiesOf = (...events: readonly Sent[]) => apply(...events).persons[0]?.properties

export const personOf = (number: number, createdAt: number): PersonState => ({
  number,
  projectId: 1,
  since: number,
  createdAt,
  isIdentified: false,
  hasProfile: true,
  properties: {},
})
