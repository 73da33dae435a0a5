import { expect } from 'vitest'
import type { TestApp } from '../app/app.ts'

export const COHORTS = 'cohorts'

/** Returns the time a number of days ago. */
export const ago = (days: number) => new Date(Date.now() - days * 86_400_000).toISOString()

/** The filters of a cohort whose persons fulfill all conditions. */
export const cohortOf = (...values: object[]) => ({
  filters: { properties: { type: 'AND', values } },
})

export async function createCohort(
  api: TestApp,
  body: object,
): Promise<{ id: number; count: number }> {
  const created = await api.post(COHORTS, { name: 'Cohort', ...body })
  expect(created.status, created.text).toBe(201)
  return created.body
}

/** Lists the first distinct ID of each person of a cohort, sorted. */
export async function listMembers(api: TestApp, id: number): Promise<string[]> {
  const { body } = await api.get(`${COHORTS}/${id}/persons`)
  return body.results
    .map(({ distinct_ids }: { distinct_ids: string[] }) => distinct_ids[0])
    .toSorted()
}
