import { Badge } from '@mantine/core'
import type { Subscription } from '#server/features/notifications/subscriptions/schema.ts'
import { TimeAgo } from '../../ui/page/time-ago.tsx'
import { subscriptionName, toHour } from './labels.ts'
import type { NotificationActions } from './notification-list.tsx'
import { NotificationRow } from './notification-row.tsx'

const FREQUENCIES = { daily: 'Daily', weekly: 'Weekly on Monday', monthly: 'Monthly on the 1st' }

interface SubscriptionRowProps extends NotificationActions {
  readonly subscription: Subscription
}

export function SubscriptionListRow({ subscription, ...actions }: SubscriptionRowProps) {
  const { id, enabled, frequency, hour, resource_name, target_value } = subscription
  const name = subscriptionName(subscription)
  return (
    <NotificationRow
      kind="subscriptions"
      id={id}
      name={name}
      isEnabled={enabled}
      {...actions}
      badge={
        enabled ? null : (
          <Badge ml={6} color="gray">
            paused
          </Badge>
        )
      }
      about={
        <>
          {resource_name !== name && resource_name !== '' && `${resource_name} · `}
          {FREQUENCIES[frequency]} at {toHour(hour)} to {target_value}
          {enabled && (
            <>
              {' '}
              · next <TimeAgo time={subscription.next_delivery_date} />
            </>
          )}
        </>
      }
    />
  )
}
