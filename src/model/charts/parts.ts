import type { EChartsOption, GraphicComponentOption } from 'echarts'
import type { Frame } from '../chart.ts'
import { shorten, shortNumber } from '../format.ts'
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
  readonly size?: number
  readonly weight?: 400 | 500 | 600
  readonly align?: 'left' | 'center' | 'right'
  /** Longer texts are truncated. */
  readonly width?: number
  readonly wrap?: boolean
}

export const drawText = (
  text: string,
  x: number,
  y: number,
  fill: string,
  { size = 12, weight = 400, align = 'left', width, wrap = false }: TextStyle = {},
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

export const drawBox = (
  x: number,
  y: number,
  width: number,
  height: number,
  fill: string,
  radius = 0,
): Graphic => ({
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
export const message = (frame: Frame, text: string): EChartsOption =>
  drawing(frame, [
    drawText(text, frame.width / 2, frame.height / 2, paletteOf(frame.scheme).dimmed, {
      size: 14,
      align: 'center',
      width: Math.max(40, frame.width - 32),
      wrap: true,
    }),
  ])

export const categoryAxis = (palette: Palette, data: readonly string[]) => ({
  type: 'category' as const,
  data: [...data],
  axisTick: { show: false },
  axisLine: { lineStyle: { color: palette.hairline } },
  axisLabel: { color: palette.dimmed, fontSize: 12, hideOverlap: true, margin: 10 },
})

export const valueAxis = (palette: Palette) => ({
  type: 'value' as const,
  splitNumber: 4,
  axisLine: { show: false },
  axisTick: { show: false },
  splitLine: { lineStyle: { color: palette.hairline } },
  axisLabel: { color: palette.dimmed, fontSize: 12, formatter: shortNumber },
})

/** Returns a grid that contains its axis labels. */
export const gridAbove = (bottom: number, top = 14, right = 18) => ({
  left: 10,
  right,
  top,
  bottom: bottom + 8,
  outerBoundsMode: 'same' as const,
  outerBoundsContain: 'axisLabel' as const,
})

/** The height of a row and the gap below it. */
const LEGEND_ROW = 26
const LEGEND_GAP = 14
const LEGEND_ICON = 16

/** Overestimates the width of a label, so that ECharts never needs more rows than computed. */
const maxLabelWidth = (label: string): number =>
  LEGEND_ICON +
  LEGEND_GAP +
  [...label].reduce((sum, mark) => sum + ((mark.codePointAt(0) ?? 0) > 0x2e80 ? 13 : 7), 0)

/** Places a legend below the chart in up to a quarter of its height, and says how many names it omits. */
export function legendBelow(frame: Frame, names: readonly string[], notDrawn = 0) {
  const palette = paletteOf(frame.scheme)
  if (names.length < 2) return { legend: { show: false }, height: 0, graphic: [] as Graphic[] }
  const maxRows = Math.max(1, Math.floor((frame.height * 0.25) / LEGEND_ROW))
  const maxCharacters = isNarrow(frame) ? 20 : 28
  let rows = 1
  let used = 0
  let shown = 0
  for (const name of names) {
    const width = Math.min(maxLabelWidth(shorten(name, maxCharacters)), frame.width - 20)
    const isNewRow = used > 0 && used + width > frame.width - 20
    if (isNewRow && rows === maxRows) break
    rows += isNewRow ? 1 : 0
    used = isNewRow ? width : used + width
    shown++
  }
  const hidden = names.length - shown + notDrawn
  const height = rows * LEGEND_ROW - 4 + (hidden > 0 ? 18 : 0)
  return {
    height: height + 4,
    graphic: hidden > 0 ? [moreText(frame, hidden)] : [],
    legend: {
      show: true,
      type: 'plain' as const,
      data: names.slice(0, shown),
      left: 6,
      top: frame.height - height - 2,
      width: frame.width - 12,
      padding: 4,
      itemGap: LEGEND_GAP,
      itemWidth: 10,
      itemHeight: 10,
      icon: 'roundRect',
      textStyle: { color: palette.text, fontSize: 12, fontFamily: FONT },
      formatter: (name: string) => shorten(name, maxCharacters),
    },
  }
}

/** Draws "and N more" at the bottom. */
export const moreText = (frame: Frame, count: number): Graphic =>
  drawText(`and ${count} more`, 12, frame.height - 11, paletteOf(frame.scheme).dimmed, { size: 11 })
