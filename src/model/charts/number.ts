import type { Drawing, Frame } from '../chart.ts'
import { type Change, type Headline, readHeadline } from '../headline.ts'
import { type Palette, paletteOf, ruleColor, seriesColor } from '../palette.ts'
import type { TrendSeries } from '../query-results.ts'
import { toSparkline } from '../sparkline.ts'
import { drawing, drawText, type Graphic } from './parts.ts'
import type { ValueStyle } from './pie.ts'

const PADDING = 10
const SMALL = 13
/** A lower tile has its sparkline beside the number. The web app's `chart.module.css` has the same heights and widths. */
const LOW = 120
/** Shorter numbers have the same size, so that low tiles beside each other look alike. */
const LETTERS = 7
/** A narrower tile has no space for a sparkline beside the number. */
const WIDE = 200

/** Draws one number, its change and a sparkline. */
export function bigNumber(
  all: readonly TrendSeries[],
  frame: Frame,
  { format, settings }: ValueStyle,
): Drawing {
  const headline = readHeadline(all, format, settings)
  if (!headline) return drawing(frame, [])
  const { name, text, change } = headline
  const palette = paletteOf(frame.scheme)
  const ruled = headline.color && ruleColor(palette, headline.color)
  const isLow = frame.height < LOW
  const lines = toBox(frame, isLow)
  const spark = lines && drawSparkline(headline.series, lines, ruled ?? seriesColor(palette, 0))
  const height = spark && !isLow && lines ? lines.y : frame.height
  const width = frame.width - 2 * PADDING
  const beside = spark && isLow && lines ? lines.x - PADDING : width
  const letters = Math.max(isLow ? LETTERS : 0, text.length)
  const size = Math.max(18, Math.min(64, height * 0.42, beside / (letters * 0.62)))
  const middle = height / 2 - SMALL * 0.7
  const number = drawText(text, {
    x: PADDING,
    y: middle,
    fill: ruled ?? palette.text,
    size,
    weight: 600,
  })
  const below = { x: PADDING, y: middle + size * 0.62 + SMALL * 0.7, width }
  return {
    ...drawing(frame, [number, ...drawBelow(headline, below, palette), ...(spark ?? [])]),
    summary: change ? `${name}: ${text}, ${change.text}.` : `${name}: ${text}.`,
  }
}

interface Place {
  readonly x: number
  readonly y: number
  readonly width: number
}

/** Writes the change below the number, or what the number counts. */
function drawBelow(
  { name, change }: Headline,
  { x, y, width }: Place,
  palette: Palette,
): Graphic[] {
  const small = { y, size: SMALL, fill: palette.dimmed }
  if (!change) return [drawText(name, { ...small, x, width })]
  if (!change.arrow) return [drawText(change.text, { ...small, x, width })]
  const amount = `${change.arrow} ${change.amount}`
  const indent = amount.length * SMALL * 0.6 + 6
  return [
    drawText(amount, { ...small, x, fill: toColor(change, palette), weight: 600 }),
    ...(width - indent < 40
      ? []
      : [drawText(change.rest, { ...small, x: x + indent, width: width - indent })]),
  ]
}

const toColor = ({ mood }: Change, palette: Palette): string => palette[mood]

interface Box extends Place {
  readonly height: number
}

function toBox({ width, height }: Frame, isLow: boolean): Box | undefined {
  if (!isLow) {
    const own = Math.round(height * 0.4)
    return { x: 0, y: height - own, width, height: own }
  }
  if (width < WIDE) return undefined
  const left = Math.round(width * 0.58)
  return { x: left, y: height * 0.12, width: width - left - PADDING, height: height * 0.42 }
}

function drawSparkline(series: TrendSeries, box: Box, color: string): Graphic[] | undefined {
  const spark = toSparkline(series, box)
  if (!spark) return undefined
  const [x, y] = [box.x, box.y]
  const stroke = { stroke: color, lineWidth: 2, fill: 'none' }
  const line = (points: Sparkpoints, more: object): Graphic => ({
    type: 'polyline',
    silent: true,
    x,
    y,
    shape: { points: points as [number, number][] },
    style: { ...stroke, ...more },
  })
  return [
    {
      type: 'polygon',
      silent: true,
      x,
      y,
      shape: { points: spark.area as [number, number][] },
      style: { fill: color, opacity: 0.12 },
    },
    line(spark.line, {}),
    ...(spark.end.length > 0 ? [line(spark.end, { lineDash: [2, 3] })] : []),
  ]
}

type Sparkpoints = readonly (readonly [number, number])[]
