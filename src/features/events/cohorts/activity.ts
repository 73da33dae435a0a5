import { defineLog } from '#server/features/activity/log.ts'
import { cohortResource } from './fields.ts'
import type { CohortRow } from './store.ts'

export const cohortLog = defineLog<CohortRow>('Cohort', {
  toName: ({ name }) => name,
  toLogged: cohortResource.toLogged,
})
