import type { OperandValueExpressionOrList } from 'kysely'
import type { Schema, Tx } from './schema.ts'

/** Bumps the version of every dashboard that shows one of these insights or texts. The IDs may be a subquery. */
export async function touchDashboardsShowing(
  tx: Tx,
  projectId: number,
  column: 'insight_id' | 'text_id',
  ids: OperandValueExpressionOrList<Schema, 'tiles', 'tiles.id'>,
): Promise<void> {
  await tx
    .updateTable('dashboards')
    .set((eb) => ({ version: eb('version', '+', 1) }))
    .where('project_id', '=', projectId)
    .where('id', 'in', (eb) =>
      eb.selectFrom('tiles').select('dashboard_id').where(column, 'in', ids),
    )
    .execute()
}
