import type { Caller } from '#server/access/guard.ts'
import type { PageRange, Slice } from '#server/db/page-range.ts'
import type { Db } from '#server/db/schema.ts'
import { listUserTexts } from '#server/features/accounts/users/user-texts.ts'
import { type RefreshPolicy, toRefreshPolicy } from '#server/features/results/cache/refresh.ts'
import { NO_OVERRIDES } from '#server/features/results/check/overrides.ts'
import { prepareQueries } from '#server/features/results/check/prepare-queries.ts'
import { toInsightResult } from '#server/features/results/representation.ts'
import type { QueryResult, Results } from '#server/features/results/results.ts'
import type { JsonText } from '#server/http/json-text.ts'
import { insightResource } from '../insight-rows/fields.ts'
import { type InsightRow, listPlacements } from '../insight-rows/store.ts'
import { type InsightListFilters, listInsightRows } from './list-store.ts'

export interface InsightDeps {
  readonly db: Db
  readonly results: Results
}

export async function listInsights(
  deps: InsightDeps,
  caller: Caller,
  filters: InsightListFilters,
  { range, policy }: { readonly range: PageRange; readonly policy: RefreshPolicy },
): Promise<Slice<JsonText>> {
  const { count, results } = await listInsightRows(deps.db, caller.projectId, filters, range)
  const shown = filters.basic ? 'no results' : policy
  return { count, results: await serializeInsights(deps, caller, results, shown) }
}

/** Returns an insight as the caller sees it. Computes nothing by default. */
export async function serializeInsight(
  deps: InsightDeps,
  caller: Caller,
  row: InsightRow,
  policy = toRefreshPolicy('force_cache'),
): Promise<JsonText> {
  const [text] = await serializeInsights(deps, caller, [row], policy)
  return text as JsonText
}

async function serializeInsights(
  { db, results }: InsightDeps,
  caller: Caller,
  rows: readonly InsightRow[],
  policy: RefreshPolicy | 'no results',
): Promise<JsonText[]> {
  const ids = rows.map(({ id }) => id)
  const userIds = rows.flatMap((row) => [row.created_by, row.last_modified_by])
  const [placements, users, found] = await Promise.all([
    listPlacements(db, caller, ids),
    listUserTexts(db, userIds),
    policy === 'no results'
      ? new Map<number, QueryResult>()
      : findInsightResults(results, caller.projectId, rows, policy),
  ])
  const placementsById = Map.groupBy(placements, (placement) => placement.insight_id)
  return rows.map((row) => {
    const result = found.get(row.id)
    return insightResource.toText(row, {
      member: caller,
      placements: placementsById.get(row.id) ?? [],
      users,
      result: result ? toInsightResult(result) : null,
    })
  })
}

/** Finds the results of the insights that have a query, by insight id. */
export async function findInsightResults(
  results: Results,
  projectId: number,
  rows: readonly InsightRow[],
  policy: RefreshPolicy,
): Promise<Map<number, QueryResult>> {
  const queried = rows.filter(({ query }) => query !== '{}')
  const requests = queried.map(({ id, query }) => ({
    query: JSON.parse(query),
    overrides: NO_OVERRIDES,
    insightId: id,
  }))
  const found = await results.find(projectId, await prepareQueries(requests), policy)
  return new Map(queried.map(({ id }, index) => [id, found[index] as QueryResult]))
}
