import type { UsualRange } from '#model/usual-range.ts'
import type { Condition, Threshold } from './fields.ts'
import type { AlertProblem } from './measures/measure.ts'
import type { AlertRow } from './store.ts'

/** The number that an alert watches, and what it is compared with. */
export interface Measured {
  readonly value: number
  /** The value of the interval or period before. */
  readonly previous: number | undefined
  /** null for conditions that have bounds. */
  readonly usual: UsualRange | null
}

export function isBreached(
  { type }: Condition,
  { configuration }: Threshold,
  { value, previous = 0, usual }: Measured,
): boolean {
  const { lower, upper } = usual ?? configuration.bounds
  const isChange = type === 'relative_increase' || type === 'relative_decrease'
  const compared = isChange ? computeChange(type, configuration.type, value, previous) : value
  return (
    (typeof lower === 'number' && compared < lower) ||
    (typeof upper === 'number' && compared > upper)
  )
}

/** Returns Infinity for a relative change from zero. */
function computeChange(
  direction: 'relative_increase' | 'relative_decrease',
  unit: Threshold['configuration']['type'],
  value: number,
  previous: number,
): number {
  const change = direction === 'relative_increase' ? value - previous : previous - value
  if (unit === 'absolute' || change === 0) return change
  return change / Math.abs(previous)
}

export interface NextState {
  readonly state: AlertRow['state']
  readonly is_told: AlertRow['is_told']
  /** undefined: nothing to notify about. */
  readonly event: 'alert.firing' | 'alert.resolved' | undefined
}

type Before = Pick<AlertRow, 'state' | 'is_told'>

/**
 * Notifies once when an alert starts firing, once when it stops, and again after a snooze. A failed check neither
 * starts nor stops it.
 */
export function nextState({ state, is_told }: Before, breached: boolean | AlertProblem): NextState {
  if (typeof breached === 'object') return { state: 'Errored', is_told, event: undefined }
  if (!breached) {
    return { state: 'Not firing', is_told: 0, event: is_told ? 'alert.resolved' : undefined }
  }
  const isNew = !is_told || state === 'Snoozed'
  return { state: 'Firing', is_told: 1, event: isNew ? 'alert.firing' : undefined }
}
