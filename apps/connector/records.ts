import type { NewEvent } from '../shared/delivery.ts'
import { toEventId } from '../shared/event-id.ts'
import { toDistinctId } from '../shared/identity.ts'
import { isDeeper, isRecord, valueAt } from '../shared/paths.ts'
import { describeBadDate, toTimestamp } from '../shared/times.ts'
import type { FieldType, Stream, Target } from './connector.ts'
import { cast, type Fields, transform } from './transform.ts'

/** Less than the limit of the event store. */
const MAX_DEPTH = 60

/** The surroundings of a record. */
export interface Place {
  /** The connector's server and, below a parent, what was read there. */
  readonly source: readonly string[]
  /** Replaces the placeholders of a text. Returns null if the records above lack a value. */
  fill(text: string): string | null
  /** Called for a field that is not of the type in the schema. */
  mismatch(field: string, type: FieldType): void
}

/** Returns the event of a record, or the problem with it. */
export function toEvent(
  stream: Stream & { readonly to: Target },
  place: Place,
  given: unknown,
): NewEvent | string {
  if (!isRecord(given)) return 'not an object.'
  if (isDeeper(given, MAX_DEPTH)) return `nested more than ${MAX_DEPTH} levels deep.`
  const record = transform(given, stream.transform ?? [], place.fill)
  applySchema(record, stream.schema ?? {}, place)
  const { event, person, time, properties } = stream.to
  const people = [person].flat()
  const path = people.find((one) => toDistinctId(valueAt(record, one)) !== undefined)
  const distinct_id = path && toDistinctId(valueAt(record, path))
  if (!distinct_id) return `no person ID in "${people.join('" or "')}".`
  const timestamp = time === undefined ? undefined : toTimestamp(valueAt(record, time))
  if (time !== undefined && timestamp === undefined) {
    return describeBadDate(valueAt(record, time), time)
  }
  return {
    uuid: toEventId(JSON.stringify([...place.source, stream.name, toIdentity(given, stream)])),
    event,
    distinct_id,
    timestamp,
    properties: properties ? pick(record, properties) : omit(record, [path, time]),
  }
}

/** Uses the record as it came, because a transformation may change. */
function toIdentity(record: Fields, { primary_key }: Stream): unknown {
  const ids = [primary_key ?? []].flat().map((path) => valueAt(record, path))
  const isId = (id: unknown) => typeof id === 'string' || typeof id === 'number'
  if (ids.length === 0 || !ids.every(isId)) return { content: record }
  return ids.length === 1 ? String(ids[0]) : ids.map(String)
}

/** Casts the fields of a schema, and reports those that cannot be. */
function applySchema(fields: Fields, schema: Required<Stream>['schema'], { mismatch }: Place) {
  for (const [name, type] of Object.entries(schema)) {
    const value = Object.hasOwn(fields, name) ? fields[name] : null
    if (value === null) continue
    fields[name] = cast(value, type)
    if (fields[name] === null) mismatch(name, type)
  }
}

const omit = (record: Fields, paths: readonly (string | undefined)[]): Fields =>
  Object.fromEntries(Object.entries(record).filter(([name]) => !paths.includes(name)))

const pick = (record: Fields, paths: readonly string[]): Fields =>
  Object.fromEntries(
    paths.flatMap((path) => {
      const value = valueAt(record, path)
      return value === undefined ? [] : [[path, value]]
    }),
  )
