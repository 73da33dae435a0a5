import { Badge } from '@mantine/core'
import type { Subscription } from '../../../../../src/features/subscriptions/schema.ts'
import { When } from '../../../ui/when.tsx'
import { NoticeRow } from './notice-row.tsx'

const EVERY = { daily: 'Every day', weekly: 'On Mondays', monthly: 'On the first of a month' }

interface SubscriptionRowProps {
  readonly subscription: Subscription
  readonly onSecret: (secret: string) => void
}

export function SubscriptionRow({ subscription, onSecret }: SubscriptionRowProps) {
  const { id, title, enabled, frequency, hour, target_value, next_delivery_date } = subscription
  return (
    <NoticeRow
      kind="subscriptions"
      id={id}
      name={title || (subscription.dashboard === null ? 'An insight' : 'A dashboard')}
      isEnabled={enabled}
      onSecret={onSecret}
      badge={
        enabled ? null : (
          <Badge ml={6} color="gray">
            off
          </Badge>
        )
      }
      about={
        <>
          {EVERY[frequency]} at {hour}:00 to {target_value} · next{' '}
          <When time={next_delivery_date} span inherit />
        </>
      }
    />
  )
}
