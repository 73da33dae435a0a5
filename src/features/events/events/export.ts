import { toCsvRow } from '#model/csv.ts'
import { type EventColumn, MAX_COLUMNS, parseColumn, readColumn } from '#model/event-columns.ts'
import type { JsonObject } from '#model/json.ts'
import type { EventKey, EventStore, StoredEvent } from '#server/analytics/event-store.ts'
import { invalid } from '#server/errors.ts'
import { toPersonName } from '../person-rows/representation.ts'
import { findPersonsByDistinctId, type PersonRow } from '../person-rows/store.ts'
import { toEventJson } from './events.ts'
import { BATCH_SIZE, readEvents } from './matching-store.ts'

export const EXPORT_FORMATS = ['csv', 'json'] as const
export type ExportFormat = (typeof EXPORT_FORMATS)[number]

interface EventSource {
  readonly store: EventStore
  readonly projectId: number
  readonly keys: readonly EventKey[]
}

/** Writes events as JSON or CSV, a batch at a time. */
export const writeEvents = (
  source: EventSource,
  format: ExportFormat,
  columns: readonly EventColumn[],
): AsyncIterable<string> => (format === 'csv' ? toCsv(source, columns) : toJson(source))

async function* toJson(source: EventSource): AsyncIterable<string> {
  let separator = '[\n'
  for await (const events of readBatches(source)) {
    for (const event of events) {
      yield `${separator}${toEventJson(event)}`
      separator = ',\n'
    }
  }
  yield separator === '[\n' ? '[]\n' : '\n]\n'
}

async function* toCsv(source: EventSource, columns: readonly EventColumn[]): AsyncIterable<string> {
  const names = columns.map(({ type, key }) => (type === 'person' ? `person.${key}` : key))
  const last = columns.length > 0 ? names : ['properties']
  yield toCsvRow(['timestamp', 'event', 'distinct_id', 'person', ...last])
  for await (const events of readBatches(source)) {
    const ids = [...new Set(events.map(({ distinct_id }) => distinct_id))]
    const persons = await findPersonsByDistinctId(source.store, source.projectId, ids)
    yield events
      .map((event) => toCsvRow(toRow(event, persons.get(event.distinct_id), columns)))
      .join('')
  }
}

function toRow(
  event: StoredEvent,
  person: PersonRow | undefined,
  columns: readonly EventColumn[],
): readonly unknown[] {
  const common = [event.timestamp, event.event, event.distinct_id, person && toPersonName(person)]
  if (columns.length === 0) return [...common, event.properties]
  const properties: JsonObject = JSON.parse(event.properties)
  const ofPerson: JsonObject | undefined = person && JSON.parse(person.properties)
  return [...common, ...columns.map((column) => readColumn(column, properties, ofPerson))]
}

async function* readBatches({ store, projectId, keys }: EventSource) {
  for (let at = 0; at < keys.length; at += BATCH_SIZE) {
    const { events } = await readEvents(store, projectId, keys.slice(at, at + BATCH_SIZE))
    if (events.length > 0) yield events
  }
}

/** Parses the columns of a file, which the parameter `columns` has as JSON. */
export function parseColumns(text: string | undefined): readonly EventColumn[] {
  if (text === undefined) return []
  const refuse = () =>
    invalid(
      'columns',
      `Enter a JSON list of at most ${MAX_COLUMNS} columns like "properties.plan" or "person.properties.plan".`,
    )
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch {
    throw refuse()
  }
  if (!Array.isArray(value) || value.length > MAX_COLUMNS) throw refuse()
  return value.map((one) => {
    const column = typeof one === 'string' ? parseColumn(one) : undefined
    if (!column) throw refuse()
    return column
  })
}
