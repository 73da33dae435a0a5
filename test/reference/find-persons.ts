import { sql } from 'kysely'
import type { EventStore, NewEvent } from '#server/analytics/event-store.ts'
import type { EventTable, Sql, StatementRow } from '#server/analytics/event-table.ts'
import { toPropertiesText } from '#server/analytics/properties-text.ts'
import { derivePersons, type Profile } from './persons.ts'
import { PERSON_KEYS } from './visitors.ts'

type Texts = Readonly<Record<string, string | null>>

/** The persons of a project, in a form that is the same on every store. */
export interface PersonsFound {
  /** The distinct IDs and profile of each person, ordered by the first ID. */
  readonly persons: readonly (readonly [ids: string, profile: ProfileFound | undefined])[]
  /** The IDs of each event's person, by uuid. */
  readonly events: Readonly<Record<string, string>>
}

interface ProfileFound extends Omit<Profile, 'properties'> {
  readonly properties: Texts
}

/**
 * Reads persons and the person of each event from a store. Reads the latter twice, once with a property that has no
 * column.
 */
export async function findPersons(
  store: Pick<EventStore, 'query'>,
  projectId: number,
): Promise<PersonsFound> {
  const query = (toSql: (table: EventTable) => Sql, properties: readonly string[] = []) =>
    store.query(projectId, { properties, personProperties: PERSON_KEYS, toSql })
  const ids = await query((table) => sql`select i.distinct_id, i.person from ${table.personIds} i`)
  const profiles = await query(
    (table) => sql`select p.number, p.is_identified,
    round(extract(epoch from p.created_at) * 1000)::double precision as created_at,
    ${selectTexts((key) => table.profileProperty(key))} from ${table.persons} p`,
  )
  const selectEvents = (table: EventTable) => sql`select e.uuid::text as uuid, e.person,
    ${selectTexts((key) => table.personProperty(key))} from ${table.rows} e`
  const events = await query(selectEvents)
  const cold = await query(selectEvents, ['never a column'])
  if (toComparable(cold) !== toComparable(events)) throw new Error('Events have several persons.')

  const idsByPerson = Map.groupBy(ids, ({ person }) => person)
  const idsOf = (person: unknown): string =>
    toKey((idsByPerson.get(person as number) ?? []).map((row) => row.distinct_id as string))
  const profileByPerson = new Map(profiles.map((row) => [row.number, toProfile(row)]))
  for (const event of events) {
    const [ofEvent, ofPerson] = [toTexts(event), profileByPerson.get(event.person as number)]
    const expected = ofPerson?.properties ?? NO_TEXTS
    if (JSON.stringify(ofEvent) !== JSON.stringify(expected)) throw new Error('Texts differ.')
  }
  return {
    persons: [...idsByPerson.keys()]
      .map((person) => [idsOf(person), profileByPerson.get(person as number)] as const)
      .toSorted(byKey),
    events: Object.fromEntries(events.map(({ uuid, person }) => [uuid, idsOf(person)])),
  }
}

/** Returns the persons that the reference derives from the events in order of arrival. */
export function expectPersons(log: readonly NewEvent[]): PersonsFound {
  const { all, events, personOf } = derivePersons(log)
  return {
    persons: all
      .map(({ ids, profile }) => {
        const found = profile && { ...profile, properties: writeTexts(profile.properties) }
        return [toKey(ids), found] as const
      })
      .toSorted(byKey),
    events: Object.fromEntries(
      events.map(({ uuid, distinct_id }) => [uuid, toKey(personOf(distinct_id).ids)]),
    ),
  }
}

const toKey = (ids: readonly string[]): string => JSON.stringify(ids.toSorted())

const byKey = ([one]: readonly [string, unknown], [other]: readonly [string, unknown]): number =>
  one < other ? -1 : 1

const columnOf = (index: number) => sql.id(`text_${index}`)

export const selectTexts = (toText: (key: string) => Sql): Sql =>
  sql.join(PERSON_KEYS.map((key, index) => sql`${toText(key)} as ${columnOf(index)}`))

export const toTexts = (row: StatementRow): Texts =>
  Object.fromEntries(PERSON_KEYS.map((key, index) => [key, row[`text_${index}`] as string | null]))

const toProfile = (row: StatementRow): ProfileFound => ({
  isIdentified: row.is_identified as boolean,
  createdAt: row.created_at as number,
  properties: toTexts(row),
})

/** Returns text unchanged, null for missing values, and anything else as JSON. */
export const writeTexts = (properties: Profile['properties']): Texts =>
  Object.fromEntries(
    PERSON_KEYS.map((key) => {
      const value = Object.hasOwn(properties, key) ? properties[key] : null
      if (value === null || typeof value === 'string') return [key, value]
      return [key, toPropertiesText({ value }).slice('{"value":'.length, -1)]
    }),
  )

const NO_TEXTS = writeTexts({})

const toComparable = (rows: readonly StatementRow[]): string =>
  JSON.stringify(
    rows.toSorted((one, other) => ((one.uuid as string) < (other.uuid as string) ? -1 : 1)),
  )
