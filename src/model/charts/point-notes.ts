import type { NumberFormat } from '../number-format.ts'
import { addsUp } from '../query-kinds/additive.ts'
import type { NamedSeries } from '../series-names.ts'
import { toHeights } from './shares.ts'

/** Explains the points of a chart over time in its tooltips. */
export interface PointNotes {
  /** Returns the value of a series in an interval, and its share and change. */
  find(name: string, index: number): PointNote | undefined
  /** Says what the notes are. */
  readonly legend: string
}

interface PointNote {
  readonly value: string
  readonly note: string
}

/** Notes the share of several series if their values add up, and the change from the previous period or interval. */
export function toPointNotes(named: readonly NamedSeries[], format: NumberFormat): PointNotes {
  const current = named.filter(({ isPrevious }) => !isPrevious)
  const previous = new Map(
    named.filter(({ isPrevious }) => isPrevious).map(({ hue, series }) => [hue, series]),
  )
  const heights = toHeights(current)
  const hasShares = current.length > 1 && addsUp(current.map(({ series }) => series))
  const toShare = (value: number, at: number) =>
    hasShares && (heights[at] ?? 0) > 0 ? format.percent(value / (heights[at] as number)) : ''
  const toChange = ({ series, hue }: NamedSeries, at: number) => {
    const { data, unfinished } = series
    // an incomplete interval would seem to fall
    if (unfinished && at === data.length - 1) return ''
    const before = previous.size > 0 ? previous.get(hue)?.data[at] : data[at - 1]
    const now = data[at] ?? 0
    if (!before || now === before) return ''
    const change = (now - before) / Math.abs(before)
    return `${change > 0 ? '+' : '−'}${format.percent(Math.abs(change))}`
  }
  const byName = new Map(named.map((one) => [one.name, one]))
  const since = `change from the previous ${previous.size > 0 ? 'period' : 'interval'}`
  return {
    find(name, at) {
      const one = byName.get(name)
      const value = one?.series.data[at]
      if (!one || value === undefined) return undefined
      const notes = one.isPrevious ? [] : [toShare(value, at), toChange(one, at)]
      return { value: format.full(value), note: notes.filter(Boolean).join(' · ') }
    },
    legend: hasShares ? `Share of the total · ${since}` : `With the ${since}`,
  }
}
