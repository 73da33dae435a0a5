import { EventsQuery } from '#model/actors/events-query.schema.ts'
import type { ActorSet } from '#server/analytics/queries/actors.ts'
import { invalid } from '#server/errors.ts'
import { type JsonText, jsonWriter } from '#server/http/json-text.ts'
import type { Overrides } from '../check/overrides.ts'
import { EVENT_COLUMNS } from './event-columns.ts'
import { type EventSet, listEventPage } from './event-store.ts'
import { parseColumns } from './list-columns.ts'
import { type ActorSource, parseRowQuery, parseSource } from './parse-source.ts'
import { type RowPage, rowPageFields, toPageRange, toRowSource } from './row-page.ts'
import type { RowSource } from './run-source.ts'

/** Checks a query for the events behind a number; an error names the field at fault. */
export function toEventRows(given: object, overrides: Overrides): RowSource<JsonText> {
  const { query, attr } = parseRowQuery<EventsQuery>(EventsQuery, given, { needsSource: true })
  const isOldestFirst = parseOrder(query.orderBy?.[0], `${attr}__orderBy__0`)
  const { source, notApplied } = parseSource(query.source, `${attr}__source`, overrides)
  const range = toPageRange(query)
  return toRowSource({
    attr,
    source,
    notApplied,
    range,
    columns: parseColumns(EVENT_COLUMNS, query.select ?? ['*'], `${attr}__select`),
    createReader: () => (run, set) =>
      listEventPage(run, requireEvents(set as ActorSet, source), { ...range, isOldestFirst }),
    toJson: jsonWriter<RowPage>(rowPageFields),
  })
}

const ORDER = /^timestamp(?:\s+(asc|desc))?$/i

/** Returns whether the oldest events come first. */
function parseOrder(text: string | undefined, attr: string): boolean {
  if (text === undefined) return false
  const found = ORDER.exec(text.trim())
  if (found) return found[1]?.toLowerCase() !== 'desc'
  throw invalid(attr, 'Events are sorted by "timestamp DESC" or "timestamp ASC".', 'invalid_choice')
}

/** Refuses kinds whose numbers do not count single events. */
function requireEvents(
  { toEvents, ...set }: ActorSet,
  { source: { kind }, attr }: ActorSource,
): EventSet {
  if (toEvents) return { ...set, toEvents }
  throw invalid(
    `${attr}__kind`,
    `The events behind a ${kind} cannot be listed, only its persons.`,
    'invalid_choice',
  )
}
