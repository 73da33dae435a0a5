import { IconBell } from '@tabler/icons-react'
import type { Alert } from '#server/features/notifications/alerts/schema.ts'
import { AlertForm } from './alert-form.tsx'
import { AlertRow } from './alert-row.tsx'
import { type Subject, useAlerts } from './api.ts'
import { NoticesPart } from './part.tsx'
import { nameOfAlert } from './words.ts'

/** Of one insight, or of the whole project. */
export function AlertsPart({ of }: { readonly of?: Subject }) {
  return (
    <NoticesPart<Alert>
      title="Alerts"
      about="An alert watches an insight and tells you when its number leaves the bounds, and when it is back."
      noun="alert"
      empty={{
        icon: IconBell,
        children: 'Set a threshold, and say where to tell: a webhook or an e-mail.',
      }}
      of={useAlerts(of)}
      nameOf={nameOfAlert}
      row={(alert, actions) => <AlertRow key={alert.id} alert={alert} {...actions} />}
      form={(item, onDone) => <AlertForm {...(item && { item })} of={of} onDone={onDone} />}
    />
  )
}
