import { isObject } from '#model/json.ts'
import {
  type JsonText,
  jsonWriter,
  plain,
  quoted,
  stored,
  toJsonText,
} from '#server/http/json-text.ts'
import type { PersonRow } from './store.ts'

/** The properties that can name a person, in order of preference. */
const NAMES = ['email', 'Email', 'name', 'Name', 'username', 'Username', 'UserName']

export function toPersonName({ properties, distinctIds, uuid }: PersonRow): string {
  const values: unknown = JSON.parse(properties)
  const named = isObject(values) ? NAMES.map((key) => values[key]) : []
  const name = named.find((value) => typeof value === 'string' && value.trim() !== '')
  return (name as string | undefined) ?? distinctIds[0] ?? uuid
}

export const toPersonJson = jsonWriter<PersonRow>({
  id: (person) => person.number,
  name: (person) => quoted(toPersonName(person)),
  distinct_ids: (person) => toJsonText(person.distinctIds),
  properties: (person) => stored(person.properties),
  created_at: (person) => plain(person.createdAt),
  uuid: (person) => plain(person.uuid),
  is_identified: (person) => person.isIdentified,
})

/** Writes persons as an object by distinct ID. */
export function toPersonsByIdJson(persons: ReadonlyMap<string, PersonRow>): JsonText {
  const entries = [...persons].map(([id, person]) => `${quoted(id)}:${toPersonJson(person)}`)
  return `{"results":{${entries.join()}}}` as JsonText
}
