import type { Alert } from '../../../../../src/features/alerts/schema.ts'
import type { Delivery, Target } from '../../../../../src/features/deliveries/schema.ts'

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

/** "When it is above 10 or below 2". */
export function toCondition({
  condition,
  threshold,
}: Pick<Alert, 'condition' | 'threshold'>): string {
  const { type, bounds } = threshold.configuration
  const show = (bound: number) => (type === 'percentage' ? `${bound * 100} %` : `${bound}`)
  const [above, below] =
    condition.type === 'absolute_value' ? ['above', 'below'] : ['more than', 'less than']
  const parts = [
    ...(typeof bounds.upper === 'number' ? [`${above} ${show(bounds.upper)}`] : []),
    ...(typeof bounds.lower === 'number' ? [`${below} ${show(bounds.lower)}`] : []),
  ]
  return `${WHAT[condition.type]} ${parts.join(' or ')}`
}
