import type {
  Subscription,
  SubscriptionCreate,
} from '#server/features/notifications/subscriptions/schema.ts'
import type { Subject } from './lists.ts'

export interface SubscriptionValues {
  readonly what: 'dashboard' | 'insight'
  readonly dashboard: number | null
  /** A text, since Select values are texts. */
  readonly insight: string | null
  readonly title: string
  readonly frequency: Subscription['frequency']
  readonly hour: string
  readonly target_type: Subscription['target_type']
  readonly target_value: string
}

export const newSubscription = (of: Subject | undefined): SubscriptionValues => ({
  what: of?.insight === undefined ? 'dashboard' : 'insight',
  dashboard: of?.dashboard ?? null,
  insight: of?.insight === undefined ? null : `${of.insight}`,
  title: '',
  frequency: 'weekly',
  hour: '9',
  target_type: 'webhook',
  target_value: '',
})

export const toSubscriptionValues = (subscription: Subscription): SubscriptionValues => ({
  what: subscription.insight === null ? 'dashboard' : 'insight',
  dashboard: subscription.dashboard,
  insight: subscription.insight === null ? null : `${subscription.insight}`,
  title: subscription.title,
  frequency: subscription.frequency,
  hour: `${subscription.hour}`,
  target_type: subscription.target_type,
  target_value: subscription.target_value,
})

/** Everything but the content can be updated. */
export const toSubscriptionPatch = (values: SubscriptionValues) => ({
  title: values.title.trim(),
  frequency: values.frequency,
  hour: Number(values.hour),
  target_type: values.target_type,
  target_value: values.target_value.trim(),
})

export const toNewSubscription = (values: SubscriptionValues): SubscriptionCreate => ({
  ...(values.what === 'dashboard'
    ? { dashboard: Number(values.dashboard) }
    : { insight: Number(values.insight) }),
  ...toSubscriptionPatch(values),
})
