import type { Source } from '#server/analytics/queries/answer.ts'
import { SCHEMAS } from '#server/analytics/queries/schemas.ts'
import { invalid } from '#server/errors.ts'
import { getSchemaCheck } from '#server/http/validation.ts'

/** Nodes that only say how the result of their `source` is displayed. */
const WRAPPERS = ['InsightVizNode', 'DataTableNode', 'DataVisualizationNode']

export interface UnwrappedQuery {
  readonly source: Source
  /** The path of `source` in the request, for error messages. */
  readonly attr: string
}

/** Returns the query inside its display node, checked by its kind's schema; an invalid one is refused at its key. */
export function unwrapQuery(query: object, attr = 'query'): UnwrappedQuery {
  const { kind, source } = query as { kind?: unknown; source?: unknown }
  if (WRAPPERS.includes(kind as string)) {
    if (isObject(source)) return unwrapQuery(source, `${attr}__source`)
    throw invalid(`${attr}__source`, 'This field is required.', 'required')
  }
  if (kind === undefined) throw invalid(`${attr}__kind`, 'This field is required.', 'required')
  const schema = typeof kind === 'string' && Object.hasOwn(SCHEMAS, kind) && SCHEMAS[kind]
  if (!schema) {
    const known = [...WRAPPERS, ...Object.keys(SCHEMAS)].join(', ')
    const detail = `${JSON.stringify(kind).slice(0, 100)} is not a kind of query. There are ${known}.`
    throw invalid(`${attr}__kind`, detail, 'invalid_choice')
  }
  getSchemaCheck(schema)(query, attr)
  return { source: query as Source, attr }
}

const isObject = (value: unknown): value is object =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
