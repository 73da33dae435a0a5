import type { Db } from '#server/db/schema.ts'
import { listUserTexts } from '#server/features/accounts/users/user-texts.ts'
import { cohortResource } from './fields.ts'
import type { Cohort } from './schema.ts'
import type { CohortRow } from './store.ts'

/** `count`: the number of persons, if they were counted. */
export async function toRepresentations(
  db: Db,
  cohorts: readonly { readonly row: CohortRow; readonly count: number | null }[],
): Promise<Cohort[]> {
  const creators = cohorts.map(({ row }) => row.created_by)
  const users = await listUserTexts(db, creators)
  return cohorts.map(({ row, count }) => cohortResource.toItem(row, { users, count }))
}
