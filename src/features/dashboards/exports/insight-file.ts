import { toInsightTitle } from '#model/insight-title.ts'
import type { Caller } from '#server/access/guard.ts'
import type { Requester } from '#server/access/requester.ts'
import type { Db } from '#server/db/schema.ts'
import { conflict } from '#server/errors.ts'
import { toRefreshPolicy } from '#server/features/results/cache/refresh.ts'
import { toResultJson, toResultValue } from '#server/features/results/representation.ts'
import type { Results } from '#server/features/results/results.ts'
import { prependField, toJsonText } from '#server/http/json-text.ts'
import type { Pictures, StoredResult } from '#server/pictures/contract.ts'
import { findVisibleMarks } from '../annotations/marks.ts'
import { getInsightRow } from '../insights/insights.ts'
import { findInsightResults } from '../insights/serialize.ts'
import type { PictureQuery } from './schema.ts'
import type { ExportedFile } from './send-file.ts'

export interface ExportDeps {
  readonly db: Db
  readonly results: Results
  readonly pictures: Pictures
}

export const INSIGHT_FORMATS = ['csv', 'json', 'svg', 'png'] as const

const DEFAULT_WIDTH = 800
const DEFAULT_HEIGHT = 450

interface InsightExport {
  readonly idOrShortId: string
  readonly format: (typeof INSIGHT_FORMATS)[number]
  readonly picture: PictureQuery
  /** Cancels the export. */
  readonly signal: AbortSignal
  readonly requester: Requester
}

/** Waits for a fresh result. */
export async function exportInsight(
  { db, results, pictures }: ExportDeps,
  caller: Caller,
  { idOrShortId, format, picture, requester, signal }: InsightExport,
): Promise<ExportedFile> {
  const row = await getInsightRow(db, caller, idOrShortId)
  const policy = toRefreshPolicy('blocking', requester)
  const found = await findInsightResults(results, caller.projectId, [row], policy)
  const queryResult = found.get(row.id)
  if (!queryResult) throw conflict('The insight has no query yet.')
  if (queryResult.problem) throw queryResult.problem
  signal.throwIfAborted()
  const query = JSON.parse(row.query)
  const title = toInsightTitle(row)
  const toContent = async () => {
    if (format === 'csv') {
      const { toCsv } = await import('#server/pictures/csv.ts')
      return toCsv(query, toResultValue(queryResult))
    }
    const json = toResultJson(queryResult)
    if (format === 'json') {
      const last_refresh = queryResult.row?.computed_at ?? null
      const { name, short_id } = row
      return prependField('result', json, toJsonText({ name, short_id, query, last_refresh }))
    }
    const { scheme = 'light', width = DEFAULT_WIDTH, height = DEFAULT_HEIGHT } = picture
    const look = { scheme, width, height, withTitle: true }
    const marks = (await findVisibleMarks(db, caller))({ insightId: row.id })
    const result: StoredResult = { storedResult: json }
    return pictures[format]({ title, query, result, marks }, look, signal)
  }
  return { format, name: title, content: await toContent() }
}
