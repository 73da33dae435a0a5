import type { TSchema } from 'typebox'
import { ActorsQuery, FunnelsActorsQuery, InsightActorsQuery } from '#model/actors.schema.ts'
import { isObject } from '#model/json.ts'
import { findKind } from '#model/query-kinds/index.ts'
import { unwrapQuery } from '#model/query-node.ts'
import type { Point } from '#server/analytics/queries/actors.ts'
import { invalid } from '#server/errors.ts'
import { requireOfPersons } from '#server/features/events/persons/conditions.ts'
import { getSchemaCheck } from '#server/http/validation.ts'
import { applyOverrides, type Overrides } from '../overrides.ts'
import { type LocatedQuery, parseQuery } from '../parse-query.ts'
import { hasEffect, requireUnderstood } from '../require-understood.ts'

/** A valid query for persons. */
export interface ParsedActors {
  readonly query: ActorsQuery
  /** Names the query in error messages. */
  readonly attr: string
  /** Without it, all persons of the project. */
  readonly source: ActorSource | undefined
  /** The keys of the overriding filters that cannot change the result. */
  readonly unreached: readonly string[]
}

/** The query whose result has the number, and the choice of the number. */
export interface ActorSource extends LocatedQuery {
  readonly point: Point
}

export const isActorsQuery = (query: object): boolean =>
  unwrapQuery(query).source.kind === 'ActorsQuery'

/** Checks a query for persons; an error names the field at fault. */
export function parseActors(given: object, overrides: Overrides): ParsedActors {
  const { source: query, wrappers } = unwrapQuery(given)
  const attr = `query${'__source'.repeat(wrappers.length)}`
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

function check(schema: TSchema, value: unknown, attr: string): void {
  getSchemaCheck(schema)(value, attr)
  requireUnderstood(schema, value, attr)
}

const CHOOSING: Readonly<Record<string, TSchema>> = { InsightActorsQuery, FunnelsActorsQuery }

function parseSource(
  given: unknown,
  attr: string,
  overrides: Overrides,
): Pick<ParsedActors, 'source' | 'unreached'> {
  if (!isObject(given)) throw invalid(attr, 'Expected a query.', 'not_a_dict')
  const within = String(given.kind)
  const schema = Object.hasOwn(CHOOSING, within) ? CHOOSING[within] : undefined
  if (schema) check(schema, given, attr)
  const { kind: _, source: inner, modifiers: __, ...fields } = schema ? given : { source: given }
  const at = schema ? `${attr}__source` : attr
  if (!isObject(inner)) throw invalid(at, 'Expected a query.', 'not_a_dict')
  const { source: original, attr: queryAttr } = parseQuery(inner, at)
  requirePoint(original.kind, schema ? within : 'ActorsQuery', fields, { attr, at: queryAttr })
  const { source, unreached } = applyOverrides(original, overrides)
  if (source !== original) parseQuery(source, queryAttr) // a dashboard's filters can be invalid too
  return {
    source: { source, attr: queryAttr, point: { ...fields, attr } as Point },
    unreached,
  }
}

/** Refuses a query of another kind, and fields that choose nothing in its results. */
function requirePoint(
  kind: string,
  within: string,
  fields: object,
  { attr, at }: { readonly attr: string; readonly at: string },
): void {
  const actors = findKind(kind)?.actors
  if (actors?.within !== within) {
    const detail = `A ${kind} is the source of ${actors?.within === 'ActorsQuery' ? 'an' : 'a'} ${actors?.within}.`
    throw invalid(`${at}__kind`, detail, 'invalid_choice')
  }
  const known: readonly string[] = actors.within === 'ActorsQuery' ? [] : actors.fields
  for (const [field, value] of Object.entries(fields)) {
    if (known.includes(field) || !hasEffect(value)) continue
    const choices = known.length > 0 ? `It takes ${known.join(', ')}.` : 'It takes no field.'
    throw invalid(`${attr}__${field}`, `"${field}" chooses nothing of a ${kind}. ${choices}`)
  }
}
