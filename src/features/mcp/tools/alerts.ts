import type { ToolDescriptor } from '../tool.ts'
import { PAGE } from './data.ts'

const FIELDS = [
  ...['insight', 'on', 'name', 'condition', 'threshold', 'targets', 'config', 'enabled'],
  ...['calculation_interval', 'snoozed_until'],
] as const

export const ALERT_TOOLS: readonly ToolDescriptor[] = [
  {
    name: 'alerts-list',
    title: 'List alerts',
    description: 'Lists alerts with their states and last values, newest first.',
    operation: 'listAlerts',
    inputs: ['insight', 'config', ...PAGE],
  },
  {
    name: 'alert-get',
    title: 'Get alert',
    description: 'Returns an alert with its state and last value.',
    operation: 'getAlert',
  },
  {
    name: 'alert-create',
    title: 'Create alert',
    description:
      'Watches the value of an insight, or an import with `source` and `on`, and notifies webhooks and e-mail addresses. The secret that signs webhooks is not returned; the web app can create a new one.',
    operation: 'createAlert',
    inputs: ['source', ...FIELDS],
    omit: ['signing_secret'],
  },
  {
    name: 'alert-update',
    title: 'Update alert',
    description: 'Changes the fields that are given. `snoozed_until` is a time, or null.',
    operation: 'updateAlert',
    inputs: FIELDS,
  },
  {
    name: 'alert-delete',
    title: 'Delete alert',
    description: 'Deletes an alert and its deliveries. Cannot be undone.',
    operation: 'deleteAlert',
    isDestructive: true,
  },
  {
    name: 'alert-deliveries-list',
    title: 'List deliveries of an alert',
    description: 'Lists the notifications that an alert has sent, newest first.',
    operation: 'listAlertDeliveries',
    inputs: PAGE,
  },
]
