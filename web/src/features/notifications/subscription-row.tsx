import { Badge } from '@mantine/core'
import type { Subscription } from '#server/features/notifications/subscriptions/schema.ts'
import { When } from '../../ui/when.tsx'
import { NoticeRow } from './notice-row.tsx'
import type { NoticeActions } from './part.tsx'
import { nameOfSubscription, toHour } from './words.ts'

const EVERY = { daily: 'Every day', weekly: 'On Mondays', monthly: 'On the first of a month' }

interface SubscriptionRowProps extends NoticeActions {
  readonly subscription: Subscription
}

export function SubscriptionRow({ subscription, ...actions }: SubscriptionRowProps) {
  const { id, enabled, frequency, hour, resource_name, target_value } = subscription
  const name = nameOfSubscription(subscription)
  return (
    <NoticeRow
      kind="subscriptions"
      id={id}
      name={name}
      isEnabled={enabled}
      {...actions}
      badge={
        enabled ? null : (
          <Badge ml={6} color="gray">
            off
          </Badge>
        )
      }
      about={
        <>
          {resource_name !== name && resource_name !== '' && `${resource_name} · `}
          {EVERY[frequency]} at {toHour(hour)} to {target_value}
          {enabled && (
            <>
              {' '}
              · next <When time={subscription.next_delivery_date} span inherit />
            </>
          )}
        </>
      }
    />
  )
}
