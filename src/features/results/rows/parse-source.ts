import type { TSchema } from 'typebox'
import {
  type ActorsQuery,
  FunnelsActorsQuery,
  InsightActorsQuery,
} from '#model/actors/actors.schema.ts'
import { isObject } from '#model/json.ts'
import { findKind } from '#model/query-kinds/index.ts'
import { toSourceAttr, unwrapQuery } from '#model/query-node.ts'
import type { Point } from '#server/analytics/queries/actors.ts'
import { invalid, required } from '#server/errors.ts'
import { hasEffect, requireUnderstood } from '#server/http/require-understood.ts'
import { getSchemaCheck } from '#server/http/validation.ts'
import { applyOverrides, type Overrides } from '../check/overrides.ts'
import { type LocatedQuery, parseQuery } from '../check/parse-query.ts'

/** The query whose result has the number, and the choice of the number. */
export interface ActorSource extends LocatedQuery {
  readonly point: Point
}

/** A source, and the keys of the overriding filters that cannot change its result. */
export interface ParsedSource<Source = ActorSource> {
  readonly source: Source
  readonly notApplied: readonly string[]
}

/** A valid query for persons or groups. */
export interface ParsedActors extends ParsedSource<ActorSource | undefined> {
  readonly query: ActorsQuery
  /** Names the query in error messages. */
  readonly attr: string
}

export const hasKind = (kind: string, query: object): boolean =>
  unwrapQuery(query).source.kind === kind

/** Finds a query for rows inside the nodes that show it and checks it. `attr` names it in error messages. */
export function parseRowQuery<Query>(
  schema: TSchema,
  given: object,
  { needsSource = false } = {},
): { readonly query: Query; readonly attr: string } {
  const { source: query, wrappers } = unwrapQuery(given)
  const attr = toSourceAttr('query', { wrappers })
  if (needsSource && !hasEffect(query.source)) throw required(`${attr}__source`)
  check(schema, query, attr)
  return { query: query as Query, attr }
}

/** Checks a value and refuses keys that have no effect. */
function check(schema: TSchema, value: unknown, attr: string): void {
  getSchemaCheck(schema)(value, attr)
  requireUnderstood(schema, value, attr)
}

const CHOOSING: Readonly<Record<string, TSchema>> = { InsightActorsQuery, FunnelsActorsQuery }

/** Checks the `source` of a query for the persons or events behind a number. */
export function parseSource(given: unknown, attr: string, overrides: Overrides): ParsedSource {
  if (!isObject(given)) throw invalid(attr, 'Expected a query.', 'not_a_dict')
  const within = String(given.kind)
  const schema = Object.hasOwn(CHOOSING, within) ? CHOOSING[within] : undefined
  if (schema) check(schema, given, attr)
  const { kind: _, source: inner, modifiers: __, ...fields } = schema ? given : { source: given }
  const at = schema ? `${attr}__source` : attr
  if (!isObject(inner)) throw invalid(at, 'Expected a query.', 'not_a_dict')
  const { source: original, attr: queryAttr } = parseQuery(inner, at)
  requirePoint(original.kind, schema ? within : 'ActorsQuery', fields, { attr, at: queryAttr })
  const { source, notApplied } = applyOverrides(original, overrides)
  if (source !== original) parseQuery(source, queryAttr) // a dashboard's filters can be invalid too
  return {
    source: { source, attr: queryAttr, point: { ...fields, attr } as Point },
    notApplied,
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
