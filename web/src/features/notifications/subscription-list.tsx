import { Anchor } from '@mantine/core'
import { IconMail } from '@tabler/icons-react'
import { Link } from '@tanstack/react-router'
import type { Subscription } from '#server/features/notifications/subscriptions/schema.ts'
import { useProjectId } from '../../api/project.ts'
import { TimeAgo } from '../../ui/page/time-ago.tsx'
import { subscriptionName, toHour } from './labels.ts'
import { type Subject, useSubscriptions } from './lists.ts'
import { NotificationList } from './notification-list.tsx'
import { NotificationRow } from './notification-row.tsx'
import { SubscriptionForm } from './subscription-form.tsx'

const FREQUENCIES = { daily: 'Daily', weekly: 'Weekly on Monday', monthly: 'Monthly on the 1st' }

/** Subscriptions of one dashboard or insight, or of the whole project. */
export function SubscriptionList({
  of,
  isSecondary,
}: {
  readonly of?: Subject
  readonly isSecondary?: boolean
}) {
  return (
    <NotificationList<Subscription>
      title="Subscriptions"
      about="Get a dashboard or insight by webhook or e-mail, daily, weekly or monthly."
      noun="subscription"
      isSecondary={isSecondary}
      empty={{
        icon: IconMail,
        children: 'Create a subscription to receive results on a schedule.',
      }}
      of={useSubscriptions(of)}
      nameOf={subscriptionName}
      row={(subscription, actions) => (
        <NotificationRow
          key={subscription.id}
          kind="subscriptions"
          item={subscription}
          name={subscriptionName(subscription)}
          {...actions}
          about={<About subscription={subscription} />}
          subject={!of && subscription.dashboard !== null && <DashboardLink {...subscription} />}
        />
      )}
      form={(item, onDone) => <SubscriptionForm {...(item && { item })} of={of} onDone={onDone} />}
    />
  )
}

function DashboardLink({ dashboard, resource_name }: Subscription) {
  const projectId = `${useProjectId()}`
  return (
    <Anchor
      size="sm"
      renderRoot={(props) => (
        <Link
          to="/project/$projectId/dashboards/$dashboardId"
          params={{ projectId, dashboardId: `${dashboard}` }}
          {...props}
        />
      )}
    >
      {resource_name || 'Untitled dashboard'}
    </Anchor>
  )
}

function About({ subscription }: { readonly subscription: Subscription }) {
  const { enabled, frequency, hour, target_value, next_delivery_date } = subscription
  return (
    <>
      {FREQUENCIES[frequency]} at {toHour(hour)} to {target_value}
      {enabled && (
        <>
          {' '}
          · next <TimeAgo time={next_delivery_date} />
        </>
      )}
    </>
  )
}
