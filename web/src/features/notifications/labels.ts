import type { Alert } from '#server/features/notifications/alerts/schema.ts'
import type { Delivery, Target } from '#server/features/notifications/deliveries/schema.ts'
import type { Subscription } from '#server/features/notifications/subscriptions/schema.ts'
import type { Status } from '../../ui/page/status-color.ts'

export const EVENTS: Readonly<Record<string, string>> = {
  'alert.firing': 'Firing',
  'alert.resolved': 'Resolved',
  'import.failed': 'Failed',
  'import.stale': 'Late',
  'import.skipped': 'Rows skipped',
  'import.schema_changed': 'Schema changed',
  'import.recovered': 'Recovered',
  subscription: 'Report',
  test: 'Test',
}

const STATUSES: Readonly<Record<string, { label: string; status: Status }>> = {
  queued: { label: 'sending', status: 'neutral' },
  delivered: { label: 'delivered', status: 'success' },
  failed: { label: 'failed', status: 'error' },
}

/** A queued delivery with an error waits for its next attempt. */
export const toDeliveryStatus = ({ state, error }: Pick<Delivery, 'state' | 'error'>) =>
  state === 'queued' && error !== ''
    ? { label: 'retrying', status: 'warning' as const }
    : (STATUSES[state] ?? { label: state, status: 'neutral' as const })

export const targetLabel = (target: Target): string =>
  target.type === 'webhook' ? target.url : target.address

export const toRecipients = ({
  targets,
  subscribed_users,
}: Pick<Alert, 'targets' | 'subscribed_users'>): string[] => [
  ...targets.map(targetLabel),
  ...subscribed_users.map(({ email }) => email),
]

/** The labels of what an alert on an import can notify about. */
export const WATCHED = {
  failed: 'A run fails',
  stale: 'It is late',
  skipped: 'Rows are skipped',
  schema_changed: 'Its events change',
  recovered: 'It works again',
} as const

/** "A run fails, it works again". */
export function toWatched(on: NonNullable<Alert['on']>): string {
  const [first = '', ...others] = on.map((each) => WATCHED[each])
  return [first, ...others.map((label) => label.charAt(0).toLowerCase() + label.slice(1))].join(
    ', ',
  )
}

const CONDITIONS = {
  absolute_value: 'Value',
  relative_increase: 'Value rises by',
  relative_decrease: 'Value falls by',
  anomaly: 'Value is unusual',
}

/** Rounds: 0.07 * 100 is 7.000000000000001. */
export const toPercent = (share: number): number => Number((share * 100).toPrecision(12))

const EXACT = { maximumFractionDigits: 20 }

/** "Value above 10 or below 2", "Value is unusual". */
export function toCondition({
  condition,
  threshold,
}: Pick<Alert, 'condition' | 'threshold'>): string {
  const { type, bounds } = threshold.configuration
  const show = (bound: number) =>
    type === 'percentage' ? `${toPercent(bound)}%` : bound.toLocaleString('en', EXACT)
  const [above, below] =
    condition.type === 'absolute_value' ? ['above', 'below'] : ['more than', 'less than']
  const parts = [
    ...(typeof bounds.upper === 'number' ? [`${above} ${show(bounds.upper)}`] : []),
    ...(typeof bounds.lower === 'number' ? [`${below} ${show(bounds.lower)}`] : []),
  ]
  return [CONDITIONS[condition.type], parts.join(' or ')].filter(Boolean).join(' ')
}

export const alertName = ({ name, resource_name }: Alert): string =>
  name || resource_name || 'Alert'

export const subscriptionName = ({ title, resource_name, dashboard }: Subscription): string =>
  title || resource_name || (dashboard === null ? 'Untitled insight' : 'Untitled dashboard')

export const toHour = (hour: number): string => `${`${hour}`.padStart(2, '0')}:00`
