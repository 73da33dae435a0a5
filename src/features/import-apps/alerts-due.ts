import type { Tx } from '#server/db/schema.ts'

/** Makes the alerts on a config due, because its state may have changed. */
export async function makeAlertsDue(tx: Tx, configId: number): Promise<void> {
  await tx
    .updateTable('alerts')
    .set({ next_check_at: '' })
    .where('config_id', '=', configId)
    .where('enabled', '=', 1)
    .execute()
}
