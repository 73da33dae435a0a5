import type { DisplaySettings } from './display-settings.ts'
import { type Palette, paler, seriesColor } from './palette.ts'
import type { TrendSeries } from './query-results.ts'
import type { NamedSeries } from './series-names.ts'

type Keyed = Pick<TrendSeries, 'breakdown_value' | 'compare_label'> & {
  readonly action: { readonly order: number } | null
}

/** Names a series in `resultCustomizations`, in upstream's form: `{"series":0,"breakdown_value":["Firefox"]}`. */
export function toSeriesKey({ action, breakdown_value }: Keyed, index: number): string {
  const series = action?.order ?? (index > 0 ? `formula${index + 1}` : 'formula')
  return JSON.stringify({
    series,
    ...(breakdown_value !== undefined && { breakdown_value: [breakdown_value] }),
  })
}

/** Finds what was chosen for a series. Upstream's keys may also name the period and several breakdown values. */
export function findCustomization(series: Keyed, index: number, settings: DisplaySettings) {
  const { resultCustomizations: all, resultCustomizationBy } = settings
  if (!all) return undefined
  if (resultCustomizationBy === 'position') return ownOf(all, String(index))
  const key = toSeriesKey(series, index)
  const { breakdown_value, compare_label } = series
  const values = JSON.stringify([breakdown_value])
  const several = key.replace(values, JSON.stringify(String(breakdown_value).split('::')))
  const periods = [key, several].map(
    (each) => `${each.slice(0, -1)},"compare_label":"${compare_label}"}`,
  )
  return [...periods, key, several].map((each) => ownOf(all, each)).find(Boolean)
}

const ownOf = <T>(all: Readonly<Record<string, T>>, key: string): T | undefined =>
  Object.hasOwn(all, key) ? all[key] : undefined

export interface SeriesLook {
  colorOf(one: NamedSeries<Keyed>): string
  /** The names of series that are hidden at first. */
  readonly hidden: readonly string[]
}

/**
 * Chooses colors by the names of series, so that a series has the same color on every tile. Of two names with the same
 * color, the second has the next one that is free. One series has the first color.
 */
export function lookOf(
  named: readonly NamedSeries<Keyed>[],
  palette: Palette,
  settings: DisplaySettings,
): SeriesLook {
  const chosen = new Map(
    named.map((one, index) => [one, findCustomization(one.series, one.index ?? index, settings)]),
  )
  const slots = new Map<number, number>()
  for (const [{ hue }, customization] of chosen) {
    const preset = customization?.color?.slice('preset-'.length)
    if (preset) slots.set(hue, (Number(preset) - 1) % palette.series.length)
  }
  const free = named.filter(
    ({ hue, isPrevious, isRest }) => !isPrevious && !isRest && !slots.has(hue),
  )
  const isOnly = new Set(named.map(({ hue }) => hue)).size === 1
  for (const { hue, name } of free) {
    if (!slots.has(hue)) slots.set(hue, isOnly ? 0 : toSlot(name, [...slots.values()], palette))
  }
  const { hiddenLegendIndexes } = settings
  return {
    colorOf({ hue, isPrevious, isRest, index }) {
      // added up values have no place in the result
      const slot = isRest && index === undefined ? undefined : slots.get(hue)
      const color =
        isRest && slot === undefined ? palette.dimmed : seriesColor(palette, slot ?? hue)
      return isPrevious ? paler(palette, color) : color
    },
    hidden: named
      .filter(
        (one, at) => chosen.get(one)?.hidden || hiddenLegendIndexes?.includes(one.index ?? at),
      )
      .map(({ name }) => name),
  }
}

/** Finds the color of a name, or the next one that no other name has. */
function toSlot(name: string, taken: readonly number[], { series }: Palette): number {
  const first = toHash(name) % series.length
  const slots = series.map((_, at) => (first + at) % series.length)
  return slots.find((slot) => !taken.includes(slot)) ?? first
}

/** FNV-1a, 32 bits. */
function toHash(text: string): number {
  let hash = 0x811c9dc5
  for (let at = 0; at < text.length; at++) {
    hash = Math.imul(hash ^ text.charCodeAt(at), 0x01000193)
  }
  return hash >>> 0
}
