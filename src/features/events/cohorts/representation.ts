import type { Db } from '#server/db/schema.ts'
import { listUsersById } from '#server/features/accounts/users/store.ts'
import type { Cohort } from './schema.ts'
import type { CohortRow } from './store.ts'

/** A row, and the number of its persons if it was counted. */
export interface CountedCohort {
  readonly row: CohortRow
  readonly count: number | null
}

export async function toRepresentations(
  db: Db,
  cohorts: readonly CountedCohort[],
): Promise<Cohort[]> {
  const users = await listUsersById(
    db,
    cohorts.map(({ row }) => row.created_by),
  )
  return cohorts.map(({ row, count }) => ({
    id: row.id,
    name: row.name,
    description: row.description,
    is_static: row.is_static === 1,
    count,
    filters: JSON.parse(row.filters),
    deleted: row.deleted === 1,
    is_calculating: false,
    created_at: row.created_at,
    created_by: users.get(row.created_by ?? 0) ?? null,
  }))
}
