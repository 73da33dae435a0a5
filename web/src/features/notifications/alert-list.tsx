import { IconBell } from '@tabler/icons-react'
import type { Alert } from '#server/features/notifications/alerts/schema.ts'
import { AlertForm } from './alert-form.tsx'
import { AlertListRow } from './alert-row.tsx'
import { type Subject, useAlerts } from './api.ts'
import { alertName } from './labels.ts'
import { NotificationList } from './notification-list.tsx'

/** Alerts of one insight, or of the whole project. */
export function AlertList({ of }: { readonly of?: Subject }) {
  return (
    <NotificationList<Alert>
      title="Alerts"
      about="Get notified when an insight's value crosses a threshold."
      noun="alert"
      empty={{
        icon: IconBell,
        children: 'Create an alert to be notified by webhook or e-mail.',
      }}
      of={useAlerts(of)}
      nameOf={alertName}
      row={(alert, actions) => <AlertListRow key={alert.id} alert={alert} {...actions} />}
      form={(item, onDone) => <AlertForm {...(item && { item })} of={of} onDone={onDone} />}
    />
  )
}
