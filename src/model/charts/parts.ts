import type { EChartsOption, GraphicComponentOption } from 'echarts'
import type { Drawing, Frame } from '../chart.ts'
import type { DisplaySettings } from '../display-settings.ts'
import { toLabel } from '../format.ts'
import { type NumberFormat, PLAIN } from '../number-format.ts'
import { FONT, type Palette, paletteOf } from '../palette.ts'

export type Graphic = GraphicComponentOption

export const isNarrow = ({ width }: Frame): boolean => width < 480

/** Returns the settings that all drawings share. */
export function base({ animation, scheme }: Frame): EChartsOption {
  const palette = paletteOf(scheme)
  return {
    animation,
    backgroundColor: 'transparent',
    color: [...palette.series],
    textStyle: { fontFamily: FONT, fontSize: 12, color: palette.text },
  }
}

export interface TextStyle {
  readonly x: number
  /** The middle of the line. */
  readonly y: number
  readonly fill: string
  readonly size?: number
  readonly weight?: 400 | 500 | 600
  readonly align?: 'left' | 'center' | 'right'
  /** Longer texts are truncated. */
  readonly width?: number
  readonly wrap?: boolean
}

export const drawText = (
  text: string,
  { x, y, fill, size = 12, weight = 400, align = 'left', width, wrap = false }: TextStyle,
): Graphic => ({
  type: 'text',
  silent: true,
  x,
  y,
  style: {
    text,
    fill,
    fontSize: size,
    fontWeight: weight,
    fontFamily: FONT,
    align,
    verticalAlign: 'middle',
    lineHeight: Math.round(size * 1.4),
    ...(width && { width, overflow: wrap ? 'break' : 'truncate', ellipsis: '…' }),
  },
})

export interface FilledBox {
  readonly x: number
  readonly y: number
  readonly width: number
  readonly height: number
  readonly fill: string
  readonly radius?: number
}

export const drawBox = ({ x, y, width, height, fill, radius = 0 }: FilledBox): Graphic => ({
  type: 'rect',
  silent: true,
  shape: { x, y, width, height, r: radius },
  style: { fill },
})

export const drawing = (frame: Frame, elements: Graphic[]): EChartsOption => ({
  ...base(frame),
  graphic: elements,
})

/** Shows a message instead of a chart. */
export const message = (frame: Frame, text: string): Drawing => ({
  ...drawing(frame, [
    drawText(text, {
      x: frame.width / 2,
      y: frame.height / 2,
      fill: paletteOf(frame.scheme).dimmed,
      size: 14,
      align: 'center',
      width: Math.max(40, frame.width - 32),
      wrap: true,
    }),
  ]),
  summary: `${text}.`,
})

export const categoryAxis = (palette: Palette, data: readonly string[], title?: string | null) => ({
  type: 'category' as const,
  ...axisTitle(palette, title),
  data: [...data],
  axisTick: { show: false },
  axisLine: { lineStyle: { color: palette.hairline } },
  axisLabel: { color: palette.dimmed, fontSize: 12, hideOverlap: true, margin: 10 },
})

const axisTitle = (palette: Palette, title: string | null | undefined) =>
  title
    ? {
        name: toLabel(title),
        nameLocation: 'middle' as const,
        nameTextStyle: { color: palette.dimmed, fontSize: 12 },
      }
    : undefined

export const hasAxisTitles = ({ xAxisLabel, yAxisLabel }: DisplaySettings): boolean =>
  Boolean(xAxisLabel || yAxisLabel)

/** More than a character of a label takes on average, in pixels. */
export const CHARACTER = 7
/** The least space between two labels, in pixels. */
const LABEL_GAP = 12
/** The width of an axis of values beside the plot, in pixels. */
export const BESIDE = 60

/**
 * Returns how many labels to leave out after each one that is shown, so that all are equally far apart. Labels at the
 * ends of a line are within the plot, half a label closer to the next ones.
 */
export function labelInterval(labels: readonly string[], width: number, isLine: boolean): number {
  const longest = CHARACTER * Math.max(0, ...labels.map(({ length }) => length))
  const distance = longest * (isLine ? 1.5 : 1) + LABEL_GAP
  const step = Math.max(1, width - BESIDE) / Math.max(1, labels.length - (isLine ? 1 : 0))
  return Math.max(0, Math.ceil(distance / step) - 1)
}

interface ValueAxis {
  /** Decide whether the axis has fractions, and how far apart its ticks are. */
  readonly values?: readonly number[]
  readonly format?: NumberFormat
  /** Shows 0 to 100%. */
  readonly isShare?: boolean | undefined
  readonly isLog?: boolean
  readonly settings?: DisplaySettings
}

/** Numbers an axis of counts without fractions, and an axis of shares up to 100%. */
export const valueAxis = (
  palette: Palette,
  { values, format = PLAIN, isShare = false, isLog = false, settings = {} }: ValueAxis = {},
) => {
  const { yAxisLabel, yAxisMin: min, yAxisMax: max } = settings
  return {
    type: isLog ? ('log' as const) : ('value' as const),
    ...axisTitle(palette, yAxisLabel),
    splitNumber: SPLITS,
    ...(!isLog && values?.every(Number.isInteger) && { minInterval: 1 }),
    ...(!isLog && toStep(values, format)),
    ...(isShare && { min: 0, max: 100, interval: 25 }),
    // a logarithmic axis has no zero
    ...(isNumber(min) && (!isLog || min > 0) && { min }),
    ...(isNumber(max) && max > (min ?? Number.NEGATIVE_INFINITY) && { max }),
    axisLine: { show: false },
    axisTick: { show: false },
    splitLine: { lineStyle: { color: palette.hairline } },
    axisLabel: {
      color: palette.dimmed,
      fontSize: 12,
      // three digits would repeat between two large numbers
      formatter: isNumber(min) && min !== 0 && !isLog ? format.full : format.short,
    },
  }
}

const isNumber = (value: unknown): value is number => typeof value === 'number'

const SPLITS = 4

/** Chooses the distance between ticks: that of durations is a minute or a quarter of an hour, not 1,000 s. */
function toStep(values: readonly number[] = [], { steps }: NumberFormat) {
  const wanted = values.reduce((most, value) => Math.max(most, Math.abs(value)), 0) / SPLITS
  const step = steps?.find((each) => each >= wanted)
  return step && { minInterval: step, maxInterval: step }
}

/** Returns a grid that contains its axis labels. */
export const gridAbove = (bottom: number, top = 14, right = 10, hasTitles = false) => ({
  left: 10,
  right,
  top,
  bottom: bottom + 8,
  outerBoundsMode: 'same' as const,
  outerBoundsContain: hasTitles ? ('all' as const) : ('axisLabel' as const),
})
