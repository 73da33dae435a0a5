import { type Exchange, refresh } from './exchange.ts'

const COHORTS = '/api/projects/$project/cohorts/'

const PAYING = {
  properties: {
    type: 'OR',
    values: [
      {
        type: 'AND',
        values: [{ key: 'plan', type: 'person', value: ['pro'], operator: 'exact' }],
      },
    ],
  },
}
const cohort = {
  id: '$cohort',
  name: 'Paying',
  description: 'On a paid plan',
  filters: PAYING,
  is_static: false,
  deleted: false,
}
const renamedCohort = { ...cohort, name: 'Customers', description: null }

export const cohorts: readonly Exchange[] = [
  {
    step: 'apply',
    send: `POST ${COHORTS}`,
    body: { name: 'Paying', description: 'On a paid plan', filters: PAYING, deleted: false },
    saves: { cohort: 'id' },
    reads: 'cohort',
    state: cohort,
  },
  ...refresh({ send: `GET ${COHORTS}$cohort/`, reads: 'cohort', state: cohort }),
  {
    step: 'update',
    send: `PATCH ${COHORTS}$cohort/`,
    body: { name: 'Customers', description: '', filters: PAYING, is_static: false, deleted: false },
    reads: 'cohort',
    state: renamedCohort,
  },
  ...refresh({ send: `GET ${COHORTS}$cohort/`, reads: 'cohort', state: renamedCohort }),
  { step: 'destroy', send: `PATCH ${COHORTS}$cohort/`, body: { deleted: true } },
]
