import { type Exchange, refresh } from './exchange.ts'
import { createInsight } from './prepare.ts'

const ALERTS = '/api/environments/$project/alerts/'

const alert = {
  id: '$alert',
  name: 'Few visitors',
  insight: { id: '$insight' },
  enabled: true,
  subscribed_users: [{ id: '$user' }],
  threshold: { configuration: { type: 'absolute', bounds: { lower: 100, upper: null } } },
  condition: { type: 'absolute_value' },
  config: { series_index: 0, check_ongoing_interval: false },
  calculation_interval: 'daily',
  skip_weekend: true,
}
const changedAlert = {
  ...alert,
  enabled: false,
  threshold: { configuration: { type: 'percentage', bounds: { lower: null, upper: 0.5 } } },
  condition: { type: 'relative_decrease' },
  calculation_interval: 'monthly',
  skip_weekend: false,
}

export const alerts: readonly Exchange[] = [
  createInsight,
  {
    step: 'apply',
    send: `POST ${ALERTS}`,
    body: {
      name: 'Few visitors',
      insight: '$insight',
      subscribed_users: ['$user'],
      threshold: { configuration: { type: 'absolute', bounds: { lower: 100 } } },
      config: { type: 'TrendsAlertConfig', series_index: 0, check_ongoing_interval: false },
      calculation_interval: 'daily',
      skip_weekend: true,
    },
    saves: { alert: 'id' },
    reads: 'alert',
    state: alert,
  },
  ...refresh({ send: `GET ${ALERTS}$alert/`, reads: 'alert', state: alert }),
  {
    step: 'update',
    send: `PATCH ${ALERTS}$alert/`,
    body: {
      name: 'Few visitors',
      insight: '$insight',
      enabled: false,
      subscribed_users: ['$user'],
      threshold: { configuration: { type: 'percentage', bounds: { upper: 0.5 } } },
      condition: { type: 'relative_decrease' },
      config: { type: 'TrendsAlertConfig', series_index: 0, check_ongoing_interval: false },
      calculation_interval: 'monthly',
      skip_weekend: false,
      schedule_restriction: null,
    },
    reads: 'alert',
    state: changedAlert,
  },
  ...refresh({ send: `GET ${ALERTS}$alert/`, reads: 'alert', state: changedAlert }),
  { step: 'destroy', send: `DELETE ${ALERTS}$alert/`, status: 204 },
  { step: 'gone', send: `GET ${ALERTS}$alert/`, status: 404 },
]
