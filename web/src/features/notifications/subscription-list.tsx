import { IconMail } from '@tabler/icons-react'
import type { Subscription } from '#server/features/notifications/subscriptions/schema.ts'
import { type Subject, useSubscriptions } from './api.ts'
import { subscriptionName } from './labels.ts'
import { NotificationList } from './notification-list.tsx'
import { SubscriptionForm } from './subscription-form.tsx'
import { SubscriptionListRow } from './subscription-row.tsx'

/** Subscriptions of one dashboard or insight, or of the whole project. */
export function SubscriptionList({ of }: { readonly of?: Subject }) {
  return (
    <NotificationList<Subscription>
      title="Subscriptions"
      about="Get a dashboard or insight by webhook or e-mail, daily, weekly or monthly."
      noun="subscription"
      empty={{
        icon: IconMail,
        children: 'Create a subscription to receive results on a schedule.',
      }}
      of={useSubscriptions(of)}
      nameOf={subscriptionName}
      row={(subscription, actions) => (
        <SubscriptionListRow key={subscription.id} subscription={subscription} {...actions} />
      )}
      form={(item, onDone) => <SubscriptionForm {...(item && { item })} of={of} onDone={onDone} />}
    />
  )
}
