import type { OperandValueExpressionOrList } from 'kysely'
import type { Schema, Tx } from './schema.ts'

/** Dashboards that show the same insight or text change together. The ids may be a query: they can be many. */
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
