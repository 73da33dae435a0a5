import type { Caller } from '#server/access/guard.ts'
import type { Db } from '#server/db/schema.ts'
import { notFound } from '#server/errors.ts'
import { NO_OVERRIDES } from '#server/features/results/overrides.ts'
import {
  type RefreshMode,
  type RefreshPolicy,
  toRefreshPolicy,
} from '#server/features/results/refresh.ts'
import { toInsightResult } from '#server/features/results/representation.ts'
import type { QueryResult, Results } from '#server/features/results/results.ts'
import type { JsonText } from '#server/http/json-text.ts'
import { listUserTexts } from '../dashboards/read-dashboard.ts'
import { listPlacements } from './placements.ts'
import { toInsightText } from './representation.ts'
import { findInsight, type InsightRow } from './store.ts'

export async function getInsightRow(
  db: Db,
  { projectId }: Caller,
  idOrShortId: string,
): Promise<InsightRow> {
  const row = await findInsight(db, projectId, idOrShortId)
  if (!row) throw notFound()
  return row
}

/** As this caller sees them. `refresh` says whether to look for newer answers than those known, or for none at all. */
export async function serializeInsights(
  db: Db,
  results: Results,
  caller: Caller,
  rows: readonly InsightRow[],
  refresh: RefreshPolicy | 'none',
): Promise<JsonText[]> {
  const ids = rows.map(({ id }) => id)
  const named = rows.flatMap((row) => [row.created_by, row.last_modified_by])
  const [places, people, answers] = await Promise.all([
    listPlacements(db, caller, ids),
    listUserTexts(db, named),
    refresh === 'none'
      ? new Map<number, QueryResult>()
      : findInsightResults(results, caller.projectId, rows, refresh),
  ])
  const placesOf = Map.groupBy(places, (place) => place.insight_id)
  return rows.map((row) => {
    const answer = answers.get(row.id)
    const result = answer ? toInsightResult(answer) : null
    return toInsightText(caller, row, placesOf.get(row.id) ?? [], people, result)
  })
}

export async function serializeInsight(
  db: Db,
  results: Results,
  caller: Caller,
  row: InsightRow,
  mode: RefreshMode = 'force_cache',
): Promise<JsonText> {
  const [text] = await serializeInsights(db, results, caller, [row], toRefreshPolicy(mode))
  return text as JsonText
}

/** By the insight's id; one without a question is not asked. */
export async function findInsightResults(
  results: Results,
  projectId: number,
  rows: readonly InsightRow[],
  refresh: RefreshPolicy,
): Promise<Map<number, QueryResult>> {
  const asking = rows.filter(({ query }) => query !== '{}')
  const found = await results.find(
    projectId,
    asking.map(({ id, query }) => ({
      query: JSON.parse(query),
      overrides: NO_OVERRIDES,
      insightId: id,
    })),
    refresh,
  )
  return new Map(asking.map(({ id }, index) => [id, found[index] as QueryResult]))
}
