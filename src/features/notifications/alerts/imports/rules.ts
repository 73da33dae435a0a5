import type { Db } from '#server/db/schema.ts'
import { doesNotExist, invalid, required } from '#server/errors.ts'
import { type ConfigRow, findConfigRow } from '#server/features/import-apps/configs/store.ts'
import type { AlertCreate, AlertPatch } from '../schema.ts'
import type { Watched } from './schema.ts'

const OF_INSIGHTS = [
  'insight',
  'condition',
  'threshold',
  'config',
  'calculation_interval',
] as const satisfies readonly (keyof AlertPatch)[]

export async function requireImport(
  db: Db,
  projectId: number,
  { source, ...body }: AlertCreate,
): Promise<ConfigRow> {
  requireNoInsightFields(body)
  if (body.on === undefined) throw required('on')
  requireWatched(body.on)
  if (source?.config === undefined) throw required('source__config')
  if (source.insight !== undefined) {
    throw invalid('source__insight', 'An alert on an import has no insight.')
  }
  const config = await findConfigRow(db, projectId, source.config)
  if (!config || config.deleted) throw doesNotExist('source__config', source.config)
  return config
}

export function requireNoInsightFields(body: AlertPatch): void {
  const sent = OF_INSIGHTS.find((name) => body[name] !== undefined)
  if (sent) throw invalid(sent, `An alert on an import has no \`${sent}\`.`)
}

/** Requires something to watch, and not only the end of it. */
export function requireWatched(on: readonly Watched[]): void {
  if (on.some((each) => each !== 'recovered')) return
  throw invalid('on', 'Name what to watch: failed, stale, skipped or schema_changed.')
}

export function requireNoImportFields({ on }: AlertPatch): void {
  if (on !== undefined) throw invalid('on', 'Only an alert on an import has `on`.')
}
