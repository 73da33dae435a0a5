import type { Drawing, Frame } from '../chart.ts'
import { findCountry, toCountryName } from '../countries.ts'
import { NONE } from '../format.ts'
import type { NumberFormat } from '../number-format.ts'
import { heatColor, type Palette, paletteOf } from '../palette.ts'
import { addsUp } from '../query-kinds/additive.ts'
import type { TrendSeries } from '../query-results.ts'
import { type NamedSeries, nameSeries, totalOf } from '../series-names.ts'
import { base, drawBox, drawText, type Graphic } from './parts.ts'
import { summarizeValues } from './summary.ts'

/** The name under which the shapes of `world/geo-json.ts` are registered. */
export const WORLD = 'world'
/** The width of the shapes by their height. */
const ASPECT = 2.295
const MARGIN = 10
const LEGEND_HEIGHT = 24
const NOTE_HEIGHT = 16
/** A lower chart needs its height for the map. */
const LOW = 200
const SWATCH = { width: 10, labelWidth: 46 }
/** A country with one visitor must differ from one without. */
const LEAST_HEAT = 0.15

interface Placed {
  readonly name: string
  readonly value: number
  readonly series: TrendSeries
}

/** Colors countries by their values. Returns undefined for several events, and if most values are no countries. */
export function worldMap(
  all: readonly TrendSeries[],
  frame: Frame,
  format: NumberFormat,
): Drawing | undefined {
  const named = nameSeries(all).filter(({ isPrevious }) => !isPrevious)
  const { placed, others } = place(named)
  const most = placed[0]?.value ?? 0
  if (most <= 0 || hasSeveralEvents(all) || hasOtherValues(placed, others)) return undefined
  const palette = paletteOf(frame.scheme)
  const colorOf = (value: number): string => toColor(palette, value / most)
  const total = addsUp(all)
    ? named.reduce((sum, { series }) => sum + totalOf(series), 0)
    : undefined
  const rest = others
    .map(({ name, series }) => `${name} ${format.short(totalOf(series))}`)
    .join(', ')
  const note = frame.height < LOW ? '' : rest
  const bottom = LEGEND_HEIGHT + (note ? NOTE_HEIGHT : 0)
  const height = Math.max(1, frame.height - bottom - MARGIN)
  return {
    ...base(frame),
    graphic: [
      ...drawLegend(frame, { most, colorOf, format }),
      ...(note ? [drawNote(frame, `Not on the map: ${note}`)] : []),
    ],
    series: [
      {
        type: 'map',
        map: WORLD,
        aspectScale: 1, // the shapes are projected
        layoutCenter: [frame.width / 2, MARGIN + height / 2],
        layoutSize: Math.max(1, Math.min(frame.width - 2 * MARGIN, height * ASPECT)),
        selectedMode: false,
        label: { show: false },
        ...toLook(palette, palette.hairline),
        data: placed.map(({ name, value }) => ({
          name,
          value,
          ...(total && { share: format.percent(value / total) }),
          ...toLook(palette, colorOf(value)),
        })),
      },
    ],
    summary: `${summarizeValues(placed, format)}${rest && ` Not on the map: ${rest}.`}`,
    format,
    findPoint(_, index) {
      const series = placed[index]?.series
      return series && { series: all.indexOf(series) }
    },
  }
}

/** Finds the country of each value, largest first. A second value of the same country is not placed. */
function place(named: readonly NamedSeries[]) {
  const countries = new Map<string, Placed>()
  const others: NamedSeries[] = []
  for (const one of named.toSorted((a, b) => totalOf(b.series) - totalOf(a.series))) {
    const code = findCountry(String(one.series.breakdown_value ?? ''))
    if (code === undefined || !isDrawn(code) || countries.has(code)) others.push(one)
    else {
      const name = toCountryName(code)
      countries.set(code, { name, value: totalOf(one.series), series: one.series })
    }
  }
  return { placed: [...countries.values()], others }
}

/** Antarctica has no visitors and would take a quarter of the map. */
export const isDrawn = (code: string): boolean => code !== 'AQ'

const hasSeveralEvents = (all: readonly TrendSeries[]): boolean =>
  new Set(all.map(({ action }) => action?.order)).size > 1

const hasOtherValues = (placed: readonly Placed[], others: readonly NamedSeries[]): boolean =>
  others.filter(({ isRest, series }) => !isRest && series.breakdown_value !== NONE).length >
  placed.length

/** Uses the square root, because a few countries have most of the visitors and the others would look alike. */
const toColor = (palette: Palette, share: number): string =>
  heatColor(palette, LEAST_HEAT + (1 - LEAST_HEAT) * Math.sqrt(Math.max(0, share)))

const toLook = (palette: Palette, areaColor: string) => ({
  itemStyle: { areaColor, borderColor: palette.surface, borderWidth: 0.6 },
  emphasis: {
    label: { show: false },
    itemStyle: { areaColor, borderColor: palette.text, borderWidth: 1 },
  },
})

interface Scale {
  readonly most: number
  readonly colorOf: (value: number) => string
  readonly format: NumberFormat
}

/** Shows the colors of four values, because the scale is not linear. */
function drawLegend(frame: Frame, { most, colorOf, format }: Scale): Graphic[] {
  const values = [...new Set([1, 2, 3, 4].map((part) => toRound(most * (part / 4) ** 2, most)))]
  const palette = paletteOf(frame.scheme)
  const y = frame.height - 12
  return values.flatMap((value, at) => {
    const x = MARGIN + at * (SWATCH.width + SWATCH.labelWidth)
    const { width } = SWATCH
    const box = { x, y: y - width / 2, width, height: width, radius: 2, fill: colorOf(value) }
    const label = { x: x + width + 5, y, fill: palette.dimmed, size: 11 }
    return [drawBox(box), drawText(format.short(value), label)]
  })
}

/** Rounds up counts. */
const toRound = (value: number, most: number): number =>
  Number.isInteger(most) ? Math.ceil(value) : value

const drawNote = (frame: Frame, text: string): Graphic =>
  drawText(text, {
    x: MARGIN,
    y: frame.height - LEGEND_HEIGHT - NOTE_HEIGHT / 2 + 2,
    fill: paletteOf(frame.scheme).dimmed,
    size: 11,
    width: Math.max(40, frame.width - 2 * MARGIN),
  })
