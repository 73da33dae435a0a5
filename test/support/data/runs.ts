import { openStorage, type StorageOptions } from '#server/db/open.ts'
import { inSeconds } from '#server/db/values.ts'
import { type NewRun, queueRun, type RunRow } from '#server/features/import-apps/queue/store.ts'
import type { TestApp } from '../app/app.ts'

/** Queues a job of a config of project 1 without checking the config. */
export const queueJob = (
  { db }: TestApp,
  configId: number,
  more: Partial<NewRun> = {},
): Promise<RunRow> =>
  queueRun(db, {
    project_id: 1,
    config_id: configId,
    plugin_id: 4,
    kind: 'job',
    name: 'x',
    payload: {},
    message: '',
    created_by: null,
    ...more,
  })

/** Lets the next server take over the runs of a killed one at once. */
export async function endLeases(options: StorageOptions): Promise<void> {
  const { db, close } = await openStorage(options)
  await db
    .updateTable('runs')
    .set({ heartbeat_at: inSeconds(-3600) })
    .execute()
  await close()
}
