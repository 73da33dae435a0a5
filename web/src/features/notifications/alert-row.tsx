import { Badge } from '@mantine/core'
import type { Alert } from '#server/features/notifications/alerts/schema.ts'
import { toExactTime } from '../../ui/exact-time.ts'
import { When } from '../../ui/time-ago.tsx'
import { NotificationRow } from './notification-row.tsx'
import type { NotificationActions } from './notification-list.tsx'
import { SnoozeItems } from './snooze-items.tsx'
import { alertName, toAddress, toCondition } from './labels.ts'

const COLORS = { Firing: 'red', Errored: 'orange', Snoozed: 'gray', 'Not firing': 'hedge' } as const
const LABELS = {
  Firing: 'firing',
  Errored: 'error',
  Snoozed: 'snoozed',
  'Not firing': 'OK',
} as const

export function AlertRow({ alert, ...actions }: NotificationActions & { readonly alert: Alert }) {
  const { id, enabled, state, resource_name, last_checked_at, last_value, last_error } = alert
  const { snoozed_until } = alert
  const name = alertName(alert)
  return (
    <NotificationRow
      kind="alerts"
      id={id}
      name={name}
      isEnabled={enabled}
      {...actions}
      items={enabled && <SnoozeItems id={id} state={state} />}
      badge={
        <Badge ml={6} color={enabled ? COLORS[state] : 'gray'}>
          {enabled ? LABELS[state] : 'paused'}
        </Badge>
      }
      about={
        <>
          {resource_name !== name && resource_name !== '' && `${resource_name} · `}
          {toCondition(alert)} · to {alert.targets.map(toAddress).join(', ')} · checked{' '}
          <When time={last_checked_at} span inherit />
          {last_value !== null && ` · last value ${last_value.toLocaleString('en')}`}
          {last_error && ` · ${last_error}`}
          {state === 'Snoozed' && snoozed_until && ` · until ${toExactTime(snoozed_until)}`}
        </>
      }
    />
  )
}
