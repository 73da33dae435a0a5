import { IconMail } from '@tabler/icons-react'
import type { Subscription } from '#server/features/notifications/subscriptions/schema.ts'
import { type Subject, useSubscriptions } from './api.ts'
import { NoticesPart } from './part.tsx'
import { SubscriptionForm } from './subscription-form.tsx'
import { SubscriptionRow } from './subscription-row.tsx'
import { nameOfSubscription } from './words.ts'

/** Of one dashboard or insight, or of the whole project. */
export function SubscriptionsPart({ of }: { readonly of?: Subject }) {
  return (
    <NoticesPart<Subscription>
      title="Subscriptions"
      about="Numbers of a dashboard or an insight, sent every day, week or month."
      noun="subscription"
      empty={{
        icon: IconMail,
        children: 'Have the numbers come to you: to a webhook or an e-mail, when you choose.',
      }}
      of={useSubscriptions(of)}
      nameOf={nameOfSubscription}
      row={(subscription, actions) => (
        <SubscriptionRow key={subscription.id} subscription={subscription} {...actions} />
      )}
      form={(item, onDone) => <SubscriptionForm {...(item && { item })} of={of} onDone={onDone} />}
    />
  )
}
