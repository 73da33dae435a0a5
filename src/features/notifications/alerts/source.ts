import { uuidParam } from '#server/http/params.ts'
import type { NotificationSource } from '../source.ts'
import { createAlert, getAlertRow, listAlerts, patchAlert, testAlert } from './alerts.ts'
import { alertLog } from './log.ts'
import { toAlert } from './representation.ts'
import { Alert, AlertCreate, AlertPatch, AlertQuery, AlertWithSecret } from './schema.ts'
import { type AlertRow, deleteAlert, updateAlert } from './store.ts'

export const alertSource: NotificationSource<AlertRow, Alert, AlertCreate, AlertPatch, AlertQuery> =
  {
    noun: 'Alert',
    unappliedFilters: ['insight_id'],
    docs: {
      create: {
        summary: 'Create an alert',
        description:
          'The alert is checked after each refresh of the insight and at its interval. `signing_secret` is shown only once.',
      },
      get: { summary: 'Get an alert' },
      patch: {
        summary: 'Update an alert',
        description:
          'Changes only the given fields. The alert is checked at once if what it checks changes.',
      },
      activity: { summary: 'List changes and firings, newest first' },
    },
    schemas: {
      id: uuidParam('an alert'),
      item: Alert,
      itemWithSecret: AlertWithSecret,
      create: AlertCreate,
      patch: AlertPatch,
      query: AlertQuery,
    },
    list: listAlerts,
    create: createAlert,
    patch: patchAlert,
    test: testAlert,
    getRow: getAlertRow,
    toItem: toAlert,
    toItemId: ({ uuid }) => uuid,
    updateSecret: (tx, row, signing_secret) => updateAlert(tx, row, { signing_secret }),
    delete: deleteAlert,
    log: alertLog.logActivity,
  }
