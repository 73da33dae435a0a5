import type { Source } from '#server/analytics/queries/answer.ts'
import { SCHEMAS } from '#server/analytics/queries/schemas.ts'
import { invalid } from '#server/errors.ts'
import { checkerOf } from '#server/http/validation.ts'

/** What only says how an answer is shown. */
const WRAPPERS = ['InsightVizNode', 'DataTableNode', 'DataVisualizationNode']

export interface Located {
  readonly source: Source
  /** Where it stands in what the caller sent. */
  readonly attr: string
}

/** The question inside of what shows it, checked: a wrong one is refused at its key. */
export function toSource(query: object, attr = 'query'): Located {
  const { kind, source } = query as { kind?: unknown; source?: unknown }
  if (WRAPPERS.includes(kind as string)) {
    if (isObject(source)) return toSource(source, `${attr}__source`)
    throw invalid(`${attr}__source`, 'This field is required.', 'required')
  }
  if (kind === undefined) throw invalid(`${attr}__kind`, 'This field is required.', 'required')
  const schema = typeof kind === 'string' && Object.hasOwn(SCHEMAS, kind) && SCHEMAS[kind]
  if (!schema) {
    const known = [...WRAPPERS, ...Object.keys(SCHEMAS)].join(', ')
    const detail = `${JSON.stringify(kind).slice(0, 100)} is not a kind of query. There are ${known}.`
    throw invalid(`${attr}__kind`, detail, 'invalid_choice')
  }
  checkerOf(schema)(query, attr)
  return { source: query as Source, attr }
}

const isObject = (value: unknown): value is object =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
