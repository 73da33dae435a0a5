import { isDeepStrictEqual } from 'node:util'
import type { Db } from '#server/db/schema.ts'
import { doesNotExist, invalid, required } from '#server/errors.ts'
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

export function requireNoInsightFields(body: AlertPatch): void {
  const sent = OF_INSIGHTS.find((name) => (body[name] ?? null) !== null)
  if (sent) throw invalid(sent, `An alert on an import has no \`${sent}\`.`)
}

/** A client may send an alert back as it read it, with the fields that an alert on an import does not use. */
export function requireImportPatch({ on, ...body }: AlertPatch, before: AlertRow): void {
  const { calculation_interval, ...columns } = before
  const unused: AlertPatch = {
    calculation_interval: calculation_interval as AlertPatch['calculation_interval'],
    condition: JSON.parse(columns.condition),
    threshold: JSON.parse(columns.threshold),
    config: JSON.parse(columns.config),
  }
  const changed = OF_INSIGHTS.filter((name) => !isDeepStrictEqual(body[name], unused[name]))
  requireNoInsightFields(Object.fromEntries(changed.map((name) => [name, body[name]])))
  if (on === null) throw invalid('on', 'This field may not be null.', 'null')
  if (on) requireWatched(on)
}

/** Requires something to watch, and not only the end of it. */
export function requireWatched(on: readonly Watched[]): void {
  if (on.some((each) => each !== 'recovered')) return
  throw invalid('on', 'Name what to watch: failed, stale, skipped or schema_changed.')
}

export function requireNoImportFields({ on }: AlertPatch): void {
  if (on) throw invalid('on', 'Only an alert on an import has `on`.')
}
