import type { Condition, Threshold } from './schema.ts'
import type { AlertRow } from './store.ts'

/** What an insight says at the moment. */
export interface AlertValue {
  readonly value: number
  /** Of the interval before. */
  readonly previous: number | undefined
}

/** What cannot be checked, and why: for people. */
export interface AlertProblem {
  readonly problem: string
}

export function isBreached(
  { type }: Condition,
  { configuration }: Threshold,
  { value, previous = 0 }: AlertValue,
): boolean {
  const { lower, upper } = configuration.bounds
  const held =
    type === 'absolute_value' ? value : changeOf(type, configuration.type, value, previous)
  return (typeof lower === 'number' && held < lower) || (typeof upper === 'number' && held > upper)
}

/** From nothing to something is an endless share. */
function changeOf(
  direction: Condition['type'],
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
  /** undefined: nobody is told anything. */
  readonly event: 'alert.firing' | 'alert.resolved' | undefined
}

type Before = Pick<AlertRow, 'state' | 'is_told'>

/**
 * Whoever was told that it fires is told once more only when it has stopped, or after a snooze. What could not be
 * checked neither fires nor stops firing.
 */
export function nextState({ state, is_told }: Before, breached: boolean | AlertProblem): NextState {
  if (typeof breached === 'object') return { state: 'Errored', is_told, event: undefined }
  if (!breached) {
    return { state: 'Not firing', is_told: 0, event: is_told ? 'alert.resolved' : undefined }
  }
  const isNews = !is_told || state === 'Snoozed'
  return { state: 'Firing', is_told: 1, event: isNews ? 'alert.firing' : undefined }
}
