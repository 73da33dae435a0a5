import type { Chart } from '../chart.ts'
import type { RowNames } from '../names/row-names.ts'
import { unwrapQuery } from '../query-node.ts'
import { funnels } from './funnels.ts'
import { lifecycle } from './lifecycle.ts'
import { paths } from './paths.ts'
import type { NodeWith, QueryKind, Rows, TextView } from './query-kind.ts'
import { retention } from './retention.ts'
import { sql } from './sql.ts'
import { stickiness } from './stickiness.ts'
import { trends } from './trends.ts'
import { webGoals } from './web-goals.ts'
import { webOverview } from './web-overview.ts'
import { webStatsTable } from './web-stats-table.ts'

const KINDS = [
  trends,
  funnels,
  retention,
  lifecycle,
  stickiness,
  paths,
  sql,
  webOverview,
  webStatsTable,
  webGoals,
] as const

/** Every query kind, in the order of the interface. */
export const QUERY_KINDS: readonly (QueryKind & { readonly kind: QueryKindName })[] = KINDS

export type Query = (typeof KINDS)[number]['newQuery']
export type QueryKindName = Query['kind']

export type QueryNode = NodeWith<Query>

type KnownKind = (typeof QUERY_KINDS)[number]

const BY_NAME: ReadonlyMap<unknown, KnownKind> = new Map(
  QUERY_KINDS.map((each) => [each.kind, each]),
)

/** Finds a kind by the `kind` of its queries. */
export const findKind = (name: unknown): KnownKind | undefined => BY_NAME.get(name)

/** Finds the kind of a query, even inside a node. */
export const kindOf = (query: unknown): KnownKind | undefined =>
  BY_NAME.get(unwrapQuery(query).source.kind)

/** Returns the text of a query that people write, or undefined for one that they compose in a form. */
export function writtenText(source: Query): string | undefined {
  const field = findKind(source.kind)?.textField
  return field && String((source as Partial<Record<typeof field, unknown>>)[field])
}

export const isQueryKind = (name: unknown): name is QueryKindName => BY_NAME.has(name)

/** Converts a result to a header and rows; empty for an unknown kind or a missing result. */
export function toRows(query: object, result: unknown, names: RowNames): Rows {
  if (result === null || result === undefined) return []
  return kindOf(query)?.toRows(result, names) ?? []
}

/** Returns undefined for a result that is shown as a chart. */
export const toTextView = (chart: Chart): TextView | undefined =>
  kindOf(chart.query)?.toTextView?.(chart)
