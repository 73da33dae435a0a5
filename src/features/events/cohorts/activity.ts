import type { Caller } from '#server/access/guard.ts'
import type { Tx } from '#server/db/schema.ts'
import type { Change } from '#server/features/activity/schema.ts'
import { changesBetween, insertActivity, toChange } from '#server/features/activity/store.ts'
import type { CohortRow } from './store.ts'

export const logCohort = (
  tx: Tx,
  caller: Caller,
  { id, name }: CohortRow,
  activity: string,
  changes: readonly Change[] = [],
): Promise<void> =>
  insertActivity(tx, { ...caller, scope: 'Cohort', itemId: id, activity, name, changes })

export async function logCohortChanges(
  tx: Tx,
  caller: Caller,
  before: CohortRow,
  after: CohortRow,
  addedMembers: number,
): Promise<void> {
  const changes = [
    ...changesBetween('Cohort', toLogged(before), toLogged(after)),
    ...(addedMembers > 0 ? [toChange('Cohort', 'members', null, addedMembers)] : []),
  ]
  if (changes.length > 0) await logCohort(tx, caller, after, 'updated', changes)
  if (before.deleted !== after.deleted) {
    await logCohort(tx, caller, after, after.deleted ? 'deleted' : 'restored')
  }
}

const toLogged = ({ name, description, filters }: CohortRow): Record<string, unknown> => ({
  name,
  description,
  filters: JSON.parse(filters),
})
