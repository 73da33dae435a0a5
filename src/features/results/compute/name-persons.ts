import { isObject, type JsonObject, listOf } from '#model/json.ts'
import { toShownName } from '#model/names/person-name.ts'
import { toVisitorName } from '#model/names/visitor-name.ts'
import type { BreakdownFilter } from '#model/query-kinds/common.schema.ts'
import type { EventStore } from '#server/analytics/event-store.ts'
import type { QueryOutput, ValidQuery } from '#server/analytics/queries/run-query.ts'
import { toPersonName } from '#server/features/events/person-rows/representation.ts'
import {
  findPersonsByDistinctId,
  findPersonsByUuid,
  type PersonRow,
} from '#server/features/events/person-rows/store.ts'
import { toUuid } from '#server/http/ids.ts'

const NAME = 'breakdown_name'

interface Computed {
  readonly projectId: number
  readonly source: ValidQuery & { readonly breakdownFilter?: BreakdownFilter | null }
}

/** Adds the names of persons to a result that is broken down by them, whose values are IDs. */
export async function namePersons(
  store: EventStore,
  { projectId, source }: Computed,
  output: QueryOutput,
): Promise<QueryOutput> {
  const key = findPersonKey(source.breakdownFilter ?? {})
  if (!key) return output
  const parts = listOf<JsonObject | JsonObject[]>(output.results)
  const values = parts.flat().flatMap(({ breakdown_value }) => toId(breakdown_value, key))
  const ids = [...new Set(values)]
  if (ids.length === 0) return output
  const find = key === 'person_id' ? findPersonsByUuid : findPersonsByDistinctId
  const persons = await find(store, projectId, ids)
  const name = (part: JsonObject): JsonObject => {
    const [id] = toId(part.breakdown_value, key)
    const found = id === undefined ? undefined : nameOf(id, persons.get(id))
    return found ? { ...part, [NAME]: found } : part
  }
  const results = parts.map((part) => (Array.isArray(part) ? part.map(name) : name(part)))
  return { ...output, results }
}

type PersonKey = 'person_id' | 'distinct_id'

/** Returns the column by which a query is broken down, if it identifies persons and is the only one. */
function findPersonKey(filter: BreakdownFilter): PersonKey | undefined {
  const [by, ...others] = filter.breakdowns?.length
    ? filter.breakdowns.map(({ property, type }) => ({ key: property, type }))
    : [filter.breakdown ?? []].flat().map((key) => ({ key, type: filter.breakdown_type }))
  if (!by || others.length > 0 || by.type !== 'event_metadata') return undefined
  return by.key === 'person_id' || by.key === 'distinct_id' ? by.key : undefined
}

/** A value can also stand for the others, or for none. */
function toId(value: unknown, key: PersonKey): readonly string[] {
  if (typeof value !== 'string') return []
  return [key === 'distinct_id' ? value : toUuid(value)].filter((id) => id !== undefined)
}

function nameOf(id: string, person: PersonRow | undefined): string | undefined {
  if (!person) return toVisitorName(id)
  const properties: unknown = JSON.parse(person.properties)
  return toShownName({
    name: toPersonName(person),
    properties: isObject(properties) ? properties : {},
    is_identified: person.isIdentified,
  })
}

/** Removes the names from a stored result, because visitors of public links must not learn them. */
export function withoutNames(results: string): string {
  if (!results.includes(`"${NAME}"`)) return results
  const parts = JSON.parse(results) as (JsonObject | JsonObject[])[]
  const remove = ({ [NAME]: _, ...part }: JsonObject): JsonObject => part
  return JSON.stringify(
    parts.map((part) => (Array.isArray(part) ? part.map(remove) : remove(part))),
  )
}
