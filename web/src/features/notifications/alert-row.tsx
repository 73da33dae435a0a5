import { Badge } from '@mantine/core'
import type { Alert } from '#server/features/notifications/alerts/schema.ts'
import { toExactTime } from '../../ui/page/exact-time.ts'
import { STATUS_COLORS } from '../../ui/page/status-color.ts'
import { TimeAgo } from '../../ui/page/time-ago.tsx'
import { alertName, toCondition, toRecipients } from './labels.ts'
import type { NotificationActions } from './notification-list.tsx'
import { NotificationRow } from './notification-row.tsx'
import { SnoozeItems } from './snooze-items.tsx'

const STATES = {
  Firing: { label: 'firing', status: 'error' },
  Errored: { label: 'check failed', status: 'warning' },
  Snoozed: { label: 'snoozed', status: 'neutral' },
  'Not firing': { label: 'OK', status: 'success' },
} as const

export function AlertListRow({
  alert,
  ...actions
}: NotificationActions & { readonly alert: Alert }) {
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
        <Badge ml={6} color={STATUS_COLORS[enabled ? STATES[state].status : 'neutral']}>
          {enabled ? STATES[state].label : 'paused'}
        </Badge>
      }
      about={
        <>
          {resource_name !== name && resource_name !== '' && `${resource_name} · `}
          {toCondition(alert)} · to {toRecipients(alert).join(', ')} ·{' '}
          {last_checked_at ? (
            <>
              checked <TimeAgo time={last_checked_at} />
            </>
          ) : (
            'not checked yet'
          )}
          {last_value !== null && ` · last value ${last_value.toLocaleString('en')}`}
          {last_error && ` · ${last_error}`}
          {state === 'Snoozed' && snoozed_until && ` · until ${toExactTime(snoozed_until)}`}
        </>
      }
    />
  )
}
