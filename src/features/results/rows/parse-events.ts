import { EventsQuery } from '#model/events-query.schema.ts'
import { toSourceAttr, unwrapQuery } from '#model/query-node.ts'
import { invalid, required } from '#server/errors.ts'
import { hasEffect } from '#server/http/require-understood.ts'
import type { Overrides } from '../check/overrides.ts'
import { check, type ParsedSource, parseSource } from './parse-source.ts'

/** A valid query for events. */
export interface ParsedEvents extends ParsedSource {
  readonly query: EventsQuery
  /** Names the query in error messages. */
  readonly attr: string
  readonly isOldestFirst: boolean
}

export const isEventsQuery = (query: object): boolean =>
  unwrapQuery(query).source.kind === 'EventsQuery'

/** Checks a query for events; an error names the field at fault. */
export function parseEvents(given: object, overrides: Overrides): ParsedEvents {
  const { source: query, wrappers } = unwrapQuery(given)
  const attr = toSourceAttr('query', { wrappers })
  if (!hasEffect(query.source)) throw required(`${attr}__source`)
  check(EventsQuery, query, attr)
  const parsed = query as EventsQuery
  return {
    query: parsed,
    attr,
    isOldestFirst: parseOrder(parsed.orderBy?.[0], `${attr}__orderBy__0`),
    ...parseSource(parsed.source, `${attr}__source`, overrides),
  }
}

const ORDER = /^timestamp(?:\s+(asc|desc))?$/i

/** Returns whether the oldest events come first. */
function parseOrder(text: string | undefined, attr: string): boolean {
  if (text === undefined) return false
  const found = ORDER.exec(text.trim())
  if (found) return found[1]?.toLowerCase() !== 'desc'
  throw invalid(attr, 'Events are sorted by "timestamp DESC" or "timestamp ASC".', 'invalid_choice')
}
