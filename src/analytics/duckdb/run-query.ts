import { sanitizeText } from '#server/db/sanitize.ts'
import type { EventQuery, StatementRow } from '../event-table.ts'
import type { MaterializedProperties } from '../materialized-properties.ts'
import { DEFAULT_TIMEOUT_MS } from '../query-errors.ts'
import type { Runaways } from '../runaways.ts'
import { toEventTable } from './event-table.ts'
import type { EventsFile } from './file.ts'
import { planFirst } from './planner/plan-first.ts'
import type { Planner } from './planner/planner.ts'

interface Deps {
  readonly file: EventsFile
  readonly materialized: MaterializedProperties
  /** Readers look no further. */
  readonly dedupedUpTo: number
  readonly planner: Planner
  readonly runaways: Runaways
}

export async function runEventQuery(
  { file, materialized, dedupedUpTo, planner, runaways }: Deps,
  projectId: number,
  { toSql, timeoutMs = DEFAULT_TIMEOUT_MS, signal, effort, maxTextLength, ...needs }: EventQuery,
): Promise<StatementRow[]> {
  materialized.note(needs.properties.map(sanitizeText))
  const keys = materialized.keys()
  const toStatement = (id: number, upTo: number) => toSql(toEventTable(id, upTo, keys, needs))
  if (effort !== undefined) {
    runaways.requireFew()
    // the same text for all projects and any number of events, so that it is planned once
    await planFirst(planner, file.readers, effort, () => toStatement(1, 0))
  }
  const options = { signal, maxTextLength, isStreamed: effort !== undefined }
  return file.readers.run(toStatement(projectId, dedupedUpTo), timeoutMs, options)
}
