import { isDeepStrictEqual } from 'node:util'
import type { Db } from '#server/db/schema.ts'
import { doesNotExist, invalid, mayNotBeNull, required } from '#server/errors.ts'
import { type ConfigRow, findConfigRow } from '#server/features/import-apps/configs/store.ts'
import type { AlertCreate, AlertPatch } from '../schema.ts'
import type { AlertRow } from '../store.ts'
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
  if (!body.on) throw required('on')
  requireWatched(body.on)
  if (source?.config === undefined) throw required('source__config')
  if (source.insight !== undefined) {
    throw invalid('source__insight', 'An alert on an import has no insight.')
  }
  const config = await findConfigRow(db, projectId, source.config)
  if (!config || config.deleted) throw doesNotExist('source__config', source.config)
  return config
}

/** Refuses what only alerts on insights have, unless it is as it was read. */
export function requireNoInsightFields(body: AlertPatch, read: AlertPatch = {}): void {
  const sent = OF_INSIGHTS.find(
    (name) => (body[name] ?? null) !== null && !isDeepStrictEqual(body[name], read[name]),
  )
  if (sent) throw invalid(sent, `An alert on an import has no \`${sent}\`.`)
}

/** A client may send an alert back as it read it. */
export function requireImportPatch(body: AlertPatch, before: AlertRow): void {
  requireNoInsightFields(body, {
    calculation_interval: before.calculation_interval as AlertPatch['calculation_interval'],
    condition: JSON.parse(before.condition),
    threshold: JSON.parse(before.threshold),
    config: JSON.parse(before.config),
  })
  if (body.on === null) throw mayNotBeNull('on')
  if (body.on) requireWatched(body.on)
}

/** Requires something to watch, and not only the end of it. */
export function requireWatched(on: readonly Watched[]): void {
  if (on.some((each) => each !== 'recovered')) return
  throw invalid('on', 'Name what to watch: failed, stale, skipped or schema_changed.')
}

export function requireNoImportFields({ on }: AlertPatch): void {
  if (on) throw invalid('on', 'Only an alert on an import has `on`.')
}
