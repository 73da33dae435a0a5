import { isDeepStrictEqual } from 'node:util'
import type { Tx } from '#server/db/schema.ts'
import { json } from '#server/db/values.ts'
import type { RunRow } from '#server/features/import-apps/queue/store.ts'
import { describeChange, type EventShape, mergeShapes } from './event-shape.ts'

/** Remembers the shape of a run's events, and describes how it differs from the shape of earlier runs. */
export async function noteShape(
  tx: Tx,
  { config_id, dry_run, backfill_id }: RunRow,
  { state }: { readonly state: string },
  shape: EventShape,
): Promise<string | null> {
  // events of the past may have had other properties
  if (
    dry_run === 1 ||
    backfill_id !== null ||
    state !== 'succeeded' ||
    Object.keys(shape).length === 0
  )
    return null
  const config = await tx
    .selectFrom('plugin_configs')
    .select('event_shape')
    .where('id', '=', config_id)
    .executeTakeFirst()
  if (!config) return null
  const before: EventShape = JSON.parse(config.event_shape ?? '{}')
  const merged = mergeShapes(before, shape)
  if (isDeepStrictEqual(before, merged)) return null
  await tx
    .updateTable('plugin_configs')
    .set({ event_shape: json(merged) })
    .where('id', '=', config_id)
    .execute()
  return describeChange(before, shape) || null
}
