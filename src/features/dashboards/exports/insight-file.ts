import type { Caller } from '#server/access/guard.ts'
import type { Db } from '#server/db/schema.ts'
import { conflict } from '#server/errors.ts'
import { toRefreshPolicy } from '#server/features/results/refresh.ts'
import { toResultValue } from '#server/features/results/representation.ts'
import type { Results } from '#server/features/results/results.ts'
import type { Pictures } from '#server/pictures/contract.ts'
import { getInsightRow } from '../insights/insights.ts'
import { findInsightResults } from '../insights/serialize.ts'
import type { PictureQuery } from './schema.ts'
import type { ExportedFile } from './send-file.ts'

export const INSIGHT_FORMATS = ['csv', 'json', 'svg', 'png'] as const

const WIDTH = 800
const HEIGHT = 450

/** Waits for an answer that is up to date. */
export async function exportInsight(
  db: Db,
  results: Results,
  pictures: Pictures,
  caller: Caller,
  idOrShortId: string,
  format: (typeof INSIGHT_FORMATS)[number],
  { scheme = 'light', width = WIDTH, height = HEIGHT }: PictureQuery,
): Promise<ExportedFile> {
  const row = await getInsightRow(db, caller, idOrShortId)
  const refresh = toRefreshPolicy('blocking')
  const answer = (await findInsightResults(results, caller.projectId, [row], refresh)).get(row.id)
  if (!answer) throw conflict('The insight has no query yet.')
  if (answer.problem) throw answer.problem
  const query = JSON.parse(row.query)
  const result = toResultValue(answer)
  const title = row.name || row.derived_name || 'Insight'
  const draw = async () => {
    if (format === 'csv') return (await import('#server/pictures/csv.ts')).toCsv(query, result)
    if (format === 'json') {
      const last_refresh = answer.row?.computed_at ?? null
      return JSON.stringify({ name: row.name, short_id: row.short_id, query, result, last_refresh })
    }
    return pictures[format]({ title, query, result }, { scheme, width, height, withTitle: true })
  }
  return { format, name: title, content: await draw() }
}
