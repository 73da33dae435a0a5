import fc from 'fast-check'
import type { JsonObject } from '#model/json.ts'
import type { NewEvent } from '#server/analytics/event-store.ts'
import { toPropertiesText } from '#server/analytics/properties-text.ts'
import { type TestEvent, toEvent } from '../support/data/queries.ts'
import { derivePersons } from './persons.ts'

/**
 * Generates the events of visitors who sign in on several devices, share a device, and change their properties and
 * those of their groups.
 */

const USERS = ['ada', 'bob', 'ünï', '__proto__']
const DEVICES = ['phone', 'laptop', 'kiosk', 'toString', "it's"]
/** IDs from clients that do not know the person. */
const NOBODY = ['guest', 'Anonymous', ' "null" ', '0', '[object Object]']

const user = fc.constantFrom(...USERS)
const device = fc.constantFrom(...DEVICES)
const id = fc.oneof(
  { weight: 4, arbitrary: user },
  { weight: 4, arbitrary: device },
  { weight: 1, arbitrary: fc.constantFrom(...NOBODY) },
)

/** Keys of person properties. */
export const PERSON_KEYS = ['plan', 'city', 'constructor', '__proto__']
const key = fc.constantFrom(...PERSON_KEYS)
const value = fc.constantFrom('pro', 'free', '', 7, true, null, [1, 'two'], { a: { b: 1 } })
const MEMBERS = { maxKeys: 2, noNullPrototype: true }
const values = fc.dictionary(key, value, MEMBERS)

const changes: fc.Arbitrary<JsonObject> = fc.record(
  { $set: values, $set_once: values, $unset: fc.uniqueArray(key, { maxLength: 2 }) },
  { requiredKeys: [] },
)

/** More types than a project can have. */
const groupType = fc.constantFrom('company', 'team', 'a/b~', 'ünï', '__proto__', '0', "it's", '')
const groupKey = fc.constantFrom('acme', 'globex', 'é😀'.repeat(150), 5, true)
const noKey = fc.constantFrom('', null, ['acme'], { a: 1 })

const groups: fc.Arbitrary<JsonObject> = fc.record({
  $groups: fc.oneof(
    {
      weight: 6,
      arbitrary: fc.dictionary(groupType, fc.oneof(groupKey, groupKey, noKey), MEMBERS),
    },
    { weight: 1, arbitrary: fc.constantFrom('acme', '{', null, ['acme', 'globex']) },
  ),
})

const groupChange: fc.Arbitrary<JsonObject> = fc.record({
  $group_type: groupType,
  $group_key: fc.oneof(groupKey, groupKey, fc.constantFrom('', null)),
  $group_set: values,
})

interface Deed {
  readonly event: string
  readonly distinct_id: string
  readonly properties: JsonObject
}

const deed = (
  event: string,
  distinct_id: fc.Arbitrary<string>,
  properties: fc.Arbitrary<JsonObject>,
): fc.Arbitrary<Deed> => fc.record({ event: fc.constant(event), distinct_id, properties })

const named = (name: string, other: fc.Arbitrary<string>) =>
  fc.tuple(other, changes).map(([other, more]): JsonObject => ({ [name]: other, ...more }))

const identifying: fc.Arbitrary<Deed> = fc.oneof(
  { weight: 4, arbitrary: deed('$identify', user, named('$anon_distinct_id', device)) },
  { weight: 2, arbitrary: deed('$identify', id, named('$anon_distinct_id', id)) },
  { weight: 1, arbitrary: deed('$identify', id, changes) },
  { weight: 2, arbitrary: deed('$create_alias', id, named('alias', id)) },
  { weight: 1, arbitrary: deed('$merge_dangerously', id, named('alias', id)) },
)

const visit = deed('visited', id, fc.constant({}))

const personless = fc.oneof(visit, identifying).map(
  (done): Deed => ({
    ...done,
    properties: { ...done.properties, $process_person_profile: false },
  }),
)

const any: fc.Arbitrary<Deed> = fc.oneof(
  { weight: 6, arbitrary: visit },
  { weight: 4, arbitrary: identifying },
  { weight: 2, arbitrary: deed('$set', id, changes) },
  { weight: 2, arbitrary: personless },
  { weight: 2, arbitrary: deed('visited', id, groups) },
  { weight: 1, arbitrary: deed('$identify', id, groups) },
  { weight: 2, arbitrary: deed('$groupidentify', id, groupChange) },
)

/** In no order, because events arrive late and clocks are wrong. */
const timestamp = fc.oneof(
  {
    weight: 9,
    arbitrary: fc.integer({ min: 0, max: 1000 }).map((minutes) => Date.UTC(2026, 2, 1, 0, minutes)),
  },
  {
    weight: 1,
    arbitrary: fc
      .constantFrom('0001-01-01T00:00:00.000Z', '9999-12-31T23:59:59.999Z')
      .map(Date.parse),
  },
)

/** Few values, so some repeat: in the same batch or another, with the same content or other content. */
const uuid = fc
  .integer({ min: 1, max: 99 })
  .map((n) => `00000000-0000-4000-8000-${String(n).padStart(12, '0')}`)

/** Generates an event as the store receives it. */
export const visitorEvent: fc.Arbitrary<NewEvent> = fc
  .record({ done: any, timestamp, uuid })
  .map(({ done: { properties, ...rest }, timestamp, uuid }) => ({
    ...rest,
    uuid,
    timestamp: new Date(timestamp).toISOString(),
    properties: toPropertiesText(properties),
  }))

export interface Round {
  /** One batch for each project. */
  readonly batches: readonly NewEvent[][]
  readonly next: 'continue' | 'read' | 'reopen'
}

/** Generates rounds of batches; in each round, the projects store theirs at the same time. */
export const rounds = (projects: number): fc.Arbitrary<Round[]> => {
  const batch = fc.array(visitorEvent, { maxLength: 12 })
  return fc.array(
    fc.record({
      batches: fc.array(batch, { minLength: projects, maxLength: projects }),
      next: fc.constantFrom('continue', 'continue', 'continue', 'read', 'read', 'reopen'),
    }),
    { maxLength: 6 },
  )
}

/** Turns some events into merges of two IDs, so persons have several. */
export const withMerges = (
  event: fc.Arbitrary<TestEvent>,
  ids: readonly string[],
): fc.Arbitrary<TestEvent> => {
  const merging = fc.record({
    name: fc.constantFrom('$identify', '$create_alias', '$merge_dangerously'),
    otherId: fc.constantFrom(...ids),
    plan: fc.constantFrom('pro', 'free'),
  })
  const merge = fc.tuple(event, merging).map(([event, { name, otherId, plan }]) => ({
    ...event,
    event: name,
    properties: {
      ...event.properties,
      $anon_distinct_id: otherId,
      alias: otherId,
      $set: { plan },
    },
  }))
  return fc.oneof({ weight: 4, arbitrary: event }, { weight: 1, arbitrary: merge })
}

/** Replaces the ID of each event by its person, with current properties, for references that count persons. */
export const withPersons = (events: readonly TestEvent[]): TestEvent[] => {
  const { personOf } = derivePersons(events.map(toEvent))
  return events.map((event) => {
    const { ids, profile } = personOf(event.person as string)
    return { ...event, person: ids.join(), personProperties: profile?.properties ?? {} }
  })
}
