import type { Drawing, Frame } from '../chart.ts'
import { shorten, toLabel } from '../format.ts'
import { readHeadline } from '../headline.ts'
import { paletteOf, ruleColor, seriesColor } from '../palette.ts'
import type { TrendSeries } from '../query-results.ts'
import { totalOf } from '../series-names.ts'
import { shownGoals } from './overlays.ts'
import { drawing, drawText, type Graphic } from './parts.ts'
import type { ValueStyle } from './pie.ts'

const SIDE = 16
const TOP = 12
/** The room for the ends of the scale below the arc. */
const FOOT = 26
/** The room for the labels of goals around the arc. */
const LABELS = 18
const SMALL = 12
const MAX_LABEL = 16

/** Draws one number as a part of a half circle from the minimum to the maximum, with a mark for each goal. */
export function gauge(
  all: readonly TrendSeries[],
  frame: Frame,
  { format, settings }: ValueStyle,
): Drawing {
  const headline = readHeadline(all, format, settings)
  if (!headline) return drawing(frame, [])
  const palette = paletteOf(frame.scheme)
  const ruled = headline.color && ruleColor(palette, headline.color)
  const value = totalOf(headline.series)
  const goals = shownGoals(settings, [value])
  const { min, max } = toScale([value, ...goals.map((goal) => goal.value)], settings)
  const share = (number: number) => Math.min(1, Math.max(0, (number - min) / (max - min)))
  const around = goals.length > 0 ? LABELS : 0
  const r = Math.max(
    16,
    Math.min(frame.width / 2 - SIDE - around * 2, frame.height - TOP - FOOT - around),
  )
  const [cx, cy] = [frame.width / 2, (frame.height - FOOT + r + TOP + around) / 2 - TOP / 2]
  const r0 = r * 0.78
  const arc = (to: number, fill: string): Graphic => ({
    type: 'sector',
    silent: true,
    shape: { cx, cy, r, r0, startAngle: Math.PI, endAngle: Math.PI * (1 + to), clockwise: true },
    style: { fill },
  })
  const middle = (r + r0) / 2
  const end = { y: cy + FOOT / 2, size: SMALL, fill: palette.dimmed, align: 'center' as const }
  const size = Math.max(14, Math.min(56, (r0 * 1.5) / (headline.text.length * 0.62)))
  return {
    ...drawing(frame, [
      arc(1, palette.hairline),
      arc(share(value), ruled ?? seriesColor(palette, 0)),
      drawText(headline.text, {
        ...{ x: cx, y: cy - r0 * 0.22, size, weight: 600, fill: ruled ?? palette.text },
        align: 'center',
      }),
      drawText(format.short(min), { ...end, x: cx - middle }),
      drawText(format.short(max), { ...end, x: cx + middle }),
      drawText(headline.change?.text ?? headline.name, {
        ...{ ...end, x: cx, width: Math.max(40, middle * 2 - 80) },
      }),
      ...goals.flatMap(({ label, value: goal, displayLabel }) => {
        const angle = Math.PI * (1 + share(goal))
        const [x, y] = [Math.cos(angle), Math.sin(angle)]
        const mark: Graphic = {
          type: 'line',
          silent: true,
          shape: {
            ...{ x1: cx + x * (r0 - 3), y1: cy + y * (r0 - 3) },
            ...{ x2: cx + x * (r + 3), y2: cy + y * (r + 3) },
          },
          style: { stroke: palette.text, lineWidth: 2 },
        }
        if (displayLabel === false) return [mark]
        const text = drawText(shorten(label ? toLabel(label) : format.short(goal), MAX_LABEL), {
          ...{ x: cx + x * (r + 8), y: cy + y * (r + 8) - SMALL * 0.3, size: SMALL - 1 },
          fill: palette.dimmed,
          align: x < -0.3 ? 'right' : x > 0.3 ? 'left' : 'center',
        })
        return [mark, text]
      }),
    ]),
    summary: `${headline.name}: ${headline.text}, on a scale from ${format.full(min)} to ${format.full(max)}.`,
  }
}

interface Scale {
  readonly min: number
  readonly max: number
}

/** Takes the ends from the settings. By default, the scale goes from 0 to a round number, or to 100% for shares. */
export function toScale(
  values: readonly number[],
  { yAxisMin, yAxisMax, aggregationAxisFormat }: ValueStyle['settings'],
): Scale {
  const most = values.reduce((one, other) => Math.max(one, other), 0)
  const least = values.reduce((one, other) => Math.min(one, other), 0)
  const whole = WHOLES[aggregationAxisFormat ?? ''] ?? 0
  const min = yAxisMin ?? (least < 0 ? -toRound(-least) : 0)
  const max = yAxisMax ?? Math.max(whole, most > whole ? toRound(most) : 0)
  return max > min ? { min, max } : { min, max: min + 1 }
}

const WHOLES: Readonly<Record<string, number>> = { percentage: 100, percentage_scaled: 1 }

/** Rounds up to 1, 2 or 5 with zeros. */
function toRound(value: number): number {
  if (!(value > 0)) return 0
  const power = 10 ** Math.floor(Math.log10(value))
  const step = [1, 2, 5].find((each) => each * power >= value) ?? 10
  return step * power
}
