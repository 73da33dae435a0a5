import { toMedian } from './median.ts'

export type Sensitivity = 'low' | 'medium' | 'high'

/** The values between which the next one is expected. */
export interface UsualRange {
  readonly lower: number
  readonly upper: number
}

/** The distance of the bounds from the expected value, in usual deviations. */
const DEVIATIONS: Readonly<Record<Sensitivity, number>> = { low: 6, medium: 4, high: 3 }
/** The fewest values from which a range is computed. */
export const MIN_VALUES = 8
/** The fewest seasons in which a value of each phase is known. */
const MIN_SEASONS = 4
/** The newest values that count: those before are out of date, and would take long. */
const MAX_VALUES = 2000
/** Makes the median of absolute deviations comparable to a standard deviation. */
const MAD_SCALE = 1.4826
/** The least deviation, as a share of the values: steady ones would otherwise make the slightest change unusual. */
const LEAST_SHARE = 0.02

/**
 * Computes the range of the next value from those before it, oldest first; undefined if there are too few. Values grow
 * steadily, each phase of a season, such as each weekday, has its median, and all of them move with the level of the last
 * season. Medians instead of means, so that an outlier neither widens the range nor shifts it.
 */
export function toUsualRange(
  all: readonly number[],
  seasons: readonly number[],
  sensitivity: Sensitivity,
): UsualRange | undefined {
  const first = all.findIndex((value) => value !== 0) // nothing is known from before the first event
  const values = first < 0 ? [] : all.slice(first).slice(-MAX_VALUES)
  if (values.length < MIN_VALUES) return undefined
  const season = seasons.find((length) => values.length >= length * MIN_SEASONS) ?? 1
  const growth = toMedian(
    values.slice(season).map((value, index) => (value - (values[index] as number)) / season),
  )
  const level = values.map((value, index) => value - growth * index)
  const phases = Array.from({ length: season }, (_, phase) =>
    toMedian(level.filter((_value, index) => index % season === phase)),
  )
  const rests = level.map((value, index) => value - (phases[index % season] as number))
  const window = Math.max(season, MIN_VALUES / 2)
  const levelBefore = (index: number) => toMedian(rests.slice(index - window, index))
  const next = values.length
  const expected = growth * next + (phases[next % season] as number) + levelBefore(next)
  const surprises = rests
    .slice(window)
    .map((rest, index) => Math.abs(rest - levelBefore(index + window)))
  const deviation = Math.max(
    MAD_SCALE * toMedian(surprises),
    LEAST_SHARE * toMedian(values.map(Math.abs)),
    values.every(Number.isInteger) ? Math.sqrt(Math.max(Math.abs(expected), 1)) : 0, // counts vary by chance
  )
  const distance = DEVIATIONS[sensitivity] * deviation
  const isNeverNegative = values.every((value) => value >= 0)
  const lower = expected - distance
  return { lower: isNeverNegative ? Math.max(lower, 0) : lower, upper: expected + distance }
}

/** "1,204 to 1,388.5", with as many digits as tell the values apart. */
export function toRangeText({ lower, upper }: UsualRange): string {
  const digits = Math.max(0, 2 - Math.floor(Math.log10(upper - lower)))
  const show = (value: number) =>
    value.toLocaleString('en', { maximumFractionDigits: Math.min(digits, 20) })
  return `${show(lower)} to ${show(upper)}`
}
