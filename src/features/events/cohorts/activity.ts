import { defineLog } from '#server/features/activity/log.ts'
import { cohortResource } from './fields.ts'
import type { CohortRow } from './store.ts'

export const cohortLog = defineLog<CohortRow>('Cohort', {
  toItem: (cohort) => cohort,
  toLogged: cohortResource.toLogged,
})
