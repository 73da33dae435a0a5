import { toSourceAttr, unwrapQuery, WRAPPER_KINDS } from '#model/query-node.ts'
import type { ValidQuery } from '#server/analytics/queries/run-query.ts'
import { SCHEMAS } from '#server/analytics/queries/schemas.ts'
import { invalid, required } from '#server/errors.ts'
import { requireUnderstood } from '#server/http/require-understood.ts'
import { getSchemaCheck } from '#server/http/validation.ts'
import { requireChartSettings } from './require-chart-settings.ts'
import { requireColorRules } from './require-color-rules.ts'
import { requireCounted } from './require-counted.ts'

export interface LocatedQuery {
  readonly source: ValidQuery
  /** Names the query in error messages: `query__source`. */
  readonly attr: string
}

/** Finds the query inside the nodes that show it and checks it; an error names the field at fault. */
export function parseQuery(query: object, attr = 'query'): LocatedQuery {
  const { source, wrappers } = unwrapQuery(query)
  const at = toSourceAttr(attr, { wrappers })
  const { kind } = source
  if (WRAPPER_KINDS.includes(kind)) throw required(`${at}__source`)
  if (kind === undefined) throw required(`${at}__kind`)
  const schema = SCHEMAS.get(kind)
  if (!schema) {
    const known = [...WRAPPER_KINDS, ...SCHEMAS.keys()].join(', ')
    const detail = `${JSON.stringify(kind).slice(0, 100)} is not a kind of query. There are ${known}.`
    throw invalid(`${at}__kind`, detail, 'invalid_choice')
  }
  getSchemaCheck(schema)(source, at)
  requireUnderstood(schema, source, at)
  requireCounted(source, at)
  requireColorRules(source, at)
  if (kind === 'HogQLQuery') requireChartSettings(wrappers[0] ?? source, attr)
  return { source: source as unknown as ValidQuery, attr: at }
}
