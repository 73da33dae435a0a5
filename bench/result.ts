import type { Subject } from './subjects.ts'

export type Goal = { readonly atMost: number } | { readonly atLeast: number }

export type Spread = readonly [lowest: number, highest: number]

/** A measured figure. Its texts and whether it meets its goal are derived from the numbers here. */
export interface Result {
  readonly subject: Subject
  /** Unique within its subject, and the same in each run. */
  readonly what: string
  readonly value: number
  /** Follows the number: `ms`, or `of bare` and `times by hand` of a ratio. */
  readonly unit: string
  readonly goal?: Goal
  /** The lowest and the highest round. */
  readonly spread?: Spread
  /** The load generator. */
  readonly generator?: string
  /** The load average before, if it was read later than at the start of the run. */
  readonly load?: number
  readonly detail?: string
}

/** Returns the median of rounds and their spread. */
export const ofRounds = (rounds: readonly number[]): Pick<Result, 'value' | 'spread'> => ({
  value: median(rounds),
  spread: [Math.min(...rounds), Math.max(...rounds)],
})

/** Returns the median ratio of rounds in turns, and the spread of the ratios. */
export const ofTurns = (ours: readonly number[], theirs: readonly number[]) =>
  ofRounds(ours.map((our, round) => our / (theirs[round] as number)))

export const median = (numbers: readonly number[]): number =>
  numbers.toSorted((a, b) => a - b)[Math.floor(numbers.length / 2)] as number

export const geometricMean = (numbers: readonly number[]): number =>
  Math.exp(numbers.reduce((sum, number) => sum + Math.log(number), 0) / numbers.length)

/** Lists the rounds of a figure: `19,626 / 18,088`. */
export const listRounds = (rounds: readonly number[]): string => rounds.map(toText).join(' / ')

/** Writes two decimals of small numbers; more would be noise. */
export const toText = (number: number): string =>
  number.toLocaleString('en', { maximumFractionDigits: Math.abs(number) < 10 ? 2 : 0 })

/** Tells whether the goal is met; undefined if there is none. */
export function isMet({ value, goal }: Pick<Result, 'value' | 'goal'>): boolean | undefined {
  if (!goal) return undefined
  return 'atMost' in goal ? value <= goal.atMost : value >= goal.atLeast
}

export const isMissed = (result: Pick<Result, 'value' | 'goal'>): boolean => isMet(result) === false

/** Ratios hold on other machines too, roughly. */
export const isRatio = ({ unit }: Pick<Result, 'unit'>): boolean => /^(of|times)\b/.test(unit)

export const toFigure = ({ value, unit }: Pick<Result, 'value' | 'unit'>): string =>
  `${toAligned(value, unit)} ${unit}`

/** Writes the lowest and the highest round. */
export const toRange = ({ spread, unit }: Pick<Result, 'spread' | 'unit'>): string =>
  spread?.map((end) => toAligned(end, unit)).join('–') ?? ''

/** Writes both decimals of ratios, so that they are compared at a glance. */
const toAligned = (number: number, unit: string): string =>
  isRatio({ unit }) && number < 10 ? number.toFixed(2) : toText(number)

export function toGoal({ goal, unit }: Pick<Result, 'goal' | 'unit'>): string {
  if (!goal) return ''
  const suffix = isRatio({ unit }) ? '' : ` ${unit}`
  return 'atMost' in goal
    ? `at most ${toText(goal.atMost)}${suffix}`
    : `at least ${toText(goal.atLeast)}${suffix}`
}

/** Describes a result in one line, for the terminal. */
export function toLine(result: Result): string {
  const goal = toGoal(result)
  const notes = [
    toRange(result),
    goal && `${goal}: ${isMet(result) ? 'met' : 'missed'}`,
    result.detail,
  ].filter(Boolean)
  return `${result.what}: ${toFigure(result)}${notes.length > 0 ? ` (${notes.join('; ')})` : ''}`
}
