import { type Exchange, refresh } from './exchange.ts'
import { createDashboard, INSIGHTS, QUERY } from './prepare.ts'

const insight = {
  id: '$insight',
  name: 'Daily visitors',
  derived_name: null,
  description: 'Unique visitors',
  query: QUERY,
  tags: ['growth'],
  dashboards: ['$dashboard'],
  _create_in_folder: 'Terraform/Growth',
  deleted: false,
}
const changedQuery = { ...QUERY, source: { ...QUERY.source, interval: 'week' } }
const changedInsight = {
  ...insight,
  name: 'Weekly visitors',
  description: null,
  query: changedQuery,
}

export const insights: readonly Exchange[] = [
  createDashboard,
  {
    step: 'apply',
    send: `POST ${INSIGHTS}`,
    body: {
      name: 'Daily visitors',
      description: 'Unique visitors',
      query: QUERY,
      tags: ['growth'],
      dashboards: ['$dashboard'],
      _create_in_folder: 'Terraform/Growth',
    },
    saves: { insight: 'id', short: 'short_id' },
    reads: 'insight',
    state: insight,
  },
  ...refresh({ send: `GET ${INSIGHTS}$insight/`, reads: 'insight', state: insight }),
  // the data source
  { step: 'refresh', send: `GET ${INSIGHTS}$short/`, reads: 'insight', state: insight },
  {
    step: 'update',
    send: `PATCH ${INSIGHTS}$insight/`,
    body: {
      name: 'Weekly visitors',
      description: '',
      query: changedQuery,
      tags: ['growth'],
      dashboards: ['$dashboard'],
      _create_in_folder: 'Terraform/Growth',
      deleted: false,
    },
    reads: 'insight',
    state: changedInsight,
  },
  ...refresh({ send: `GET ${INSIGHTS}$insight/`, reads: 'insight', state: changedInsight }),
  { step: 'destroy', send: `PATCH ${INSIGHTS}$insight/`, body: { deleted: true } },
  {
    step: 'gone',
    send: `GET ${INSIGHTS}$insight/`,
    reads: 'insight',
    state: { ...changedInsight, deleted: true },
  },
]
