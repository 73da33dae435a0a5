import { addsUp } from '../query-kinds/additive.ts'
import type { NamedSeries } from '../series-names.ts'

/**
 * The limits do not depend on the size of a chart, so that a tile, a phone, a shared page and a picture name the same
 * series and omit the same number.
 */
export const MAX_NAMES = 8
export const MAX_LINES = 30
export const MAX_BARS = 12
export const MAX_FUNNEL_GROUPS = 5
export const MAX_LINKS = 40
/** A year with the weeks at its ends. */
export const MAX_WEEKS = 54

/** Labels merged values. A result may already contain an "Other" of unknown size. */
export const toRestName = (count: number, hasOther: boolean): string =>
  count === 0 ? 'Other' : `Other (${count}${hasOther ? '+' : ''})`

interface Split<T> {
  readonly shown: readonly T[]
  /** Merged into one value, which is shown last. */
  readonly rest: readonly T[]
  readonly restName: string
  /** The number of values that are not shown, because they cannot be merged. */
  readonly omitted: number
}

interface SplitOptions<T> {
  readonly max: number
  isOther(value: T): boolean
  /** Whether the numbers of the rest add up to one number. */
  readonly isMerged: boolean
}

/** Splits values, largest first, into those that are shown and the rest, to which the result's own rest belongs. */
export function splitRest<T>(
  values: readonly T[],
  { max, isOther, isMerged }: SplitOptions<T>,
): Split<T> {
  if (values.length <= max) return { shown: values, rest: [], restName: '', omitted: 0 }
  const own = values.filter((value) => !isOther(value))
  const shown = own.slice(0, isMerged ? max - 1 : max)
  const rest = values.filter((value) => !shown.includes(value))
  if (!isMerged) return { shown, rest: [], restName: '', omitted: rest.length }
  const hasOther = own.length < values.length
  return { shown, rest, restName: toRestName(own.length - shown.length, hasOther), omitted: 0 }
}

interface LimitedSeries {
  readonly named: readonly NamedSeries[]
  readonly omitted: number
}

/** Keeps the largest series. Adds up the rest, so that a stack keeps its height, if the numbers add up. */
export function limitSeries(named: readonly NamedSeries[]): LimitedSeries {
  const hasPrevious = named.some(({ isPrevious }) => isPrevious)
  const current = named.filter(({ isPrevious }) => !isPrevious)
  const ranked = current.toSorted((one, other) => toSize(other) - toSize(one))
  const max = hasPrevious ? MAX_NAMES / 2 : MAX_NAMES
  const { shown, rest, restName, omitted } = splitRest(ranked, {
    max,
    isOther: ({ isRest }) => isRest === true,
    isMerged: addsUp(named.map(({ series }) => series)),
  })
  const kept = new Set(shown.map(({ hue }) => hue))
  const drawn = named.filter(({ hue }) => kept.has(hue))
  if (rest.length === 0) return { named: drawn, omitted }
  const merged = [false, true].flatMap((isPrevious) => {
    const parts = named.filter((one) => one.isPrevious === isPrevious && !kept.has(one.hue))
    const name = isPrevious ? `${restName} (previous)` : restName
    const [first] = parts
    if (!first) return []
    const { index: _, ...one } = first
    return [{ ...one, name, isRest: true, series: addUp(first.series, parts) }]
  })
  return { named: [...drawn, ...merged], omitted }
}

const toSize = ({ series }: NamedSeries): number =>
  series.data.reduce((sum, value) => sum + Math.abs(value), 0)

const addUp = (first: NamedSeries['series'], parts: readonly NamedSeries[]) => ({
  ...first,
  data: first.data.map((_, at) =>
    parts.reduce((sum, { series }) => sum + (series.data[at] ?? 0), 0),
  ),
})
