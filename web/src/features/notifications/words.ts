import type { Alert } from '#server/features/notifications/alerts/schema.ts'
import type { Delivery, Target } from '#server/features/notifications/deliveries/schema.ts'
import type { Subscription } from '#server/features/notifications/subscriptions/schema.ts'

export const EVENTS: Readonly<Record<string, string>> = {
  'alert.firing': '“Firing”',
  'alert.resolved': '“All well again”',
  subscription: 'Numbers',
  test: 'A test',
}

const STATES: Readonly<Record<string, { words: string; color: string }>> = {
  queued: { words: 'on its way', color: 'gray' },
  delivered: { words: 'arrived', color: 'hedge' },
  failed: { words: 'failed', color: 'red' },
}

/** What was tried and did not arrive is not on its way: it waits. */
export const toState = ({ state, error }: Pick<Delivery, 'state' | 'error'>) =>
  state === 'queued' && error !== ''
    ? { words: 'will be tried again', color: 'orange' }
    : (STATES[state] ?? { words: state, color: 'gray' })

export const toAddress = (target: Target): string =>
  target.type === 'webhook' ? target.url : target.address

const WHAT = {
  absolute_value: 'When it is',
  relative_increase: 'When it rises by',
  relative_decrease: 'When it falls by',
}

/** 0.07 * 100 is 7.000000000000001. */
export const toPercent = (share: number): number => Number((share * 100).toPrecision(12))

/** "When it is above 10 or below 2". */
export function toCondition({
  condition,
  threshold,
}: Pick<Alert, 'condition' | 'threshold'>): string {
  const { type, bounds } = threshold.configuration
  const show = (bound: number) => (type === 'percentage' ? `${toPercent(bound)} %` : `${bound}`)
  const [above, below] =
    condition.type === 'absolute_value' ? ['above', 'below'] : ['more than', 'less than']
  const parts = [
    ...(typeof bounds.upper === 'number' ? [`${above} ${show(bounds.upper)}`] : []),
    ...(typeof bounds.lower === 'number' ? [`${below} ${show(bounds.lower)}`] : []),
  ]
  return `${WHAT[condition.type]} ${parts.join(' or ')}`
}

export const nameOfAlert = ({ name, resource_name }: Alert): string =>
  name || resource_name || 'Alert'

export const nameOfSubscription = ({ title, resource_name, dashboard }: Subscription): string =>
  title || resource_name || (dashboard === null ? 'Untitled insight' : 'Untitled dashboard')

export const toHour = (hour: number): string => `${`${hour}`.padStart(2, '0')}:00`
