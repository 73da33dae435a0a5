import { ActorsQuery } from '#model/actors.schema.ts'
import { toSourceAttr, unwrapQuery } from '#model/query-node.ts'
import { requireOfPersons } from '#server/features/events/person-rows/conditions.ts'
import { hasEffect } from '#server/http/require-understood.ts'
import type { Overrides } from '../check/overrides.ts'
import { type ActorSource, check, type ParsedSource, parseSource } from './parse-source.ts'

/** A valid query for persons. */
export interface ParsedActors extends ParsedSource<ActorSource | undefined> {
  readonly query: ActorsQuery
  /** Names the query in error messages. */
  readonly attr: string
}

export const isActorsQuery = (query: object): boolean =>
  unwrapQuery(query).source.kind === 'ActorsQuery'

/** Checks a query for persons; an error names the field at fault. */
export function parseActors(given: object, overrides: Overrides): ParsedActors {
  const { source: query, wrappers } = unwrapQuery(given)
  const attr = toSourceAttr('query', { wrappers })
  check(ActorsQuery, query, attr)
  const parsed = query as ActorsQuery
  for (const key of ['properties', 'fixedProperties'] as const) {
    if (parsed[key]) requireOfPersons(parsed[key], `${attr}__${key}`)
  }
  const found = hasEffect(parsed.source)
    ? parseSource(parsed.source, `${attr}__source`, overrides)
    : { source: undefined, unreached: [] }
  return { query: parsed, attr, ...found }
}
