import type { Frame } from '../chart.ts'
import { FONT, paletteOf } from '../palette.ts'
import { shortenLabels } from './labels.ts'
import { MAX_LINES, MAX_NAMES } from './limits.ts'
import { drawText, type Graphic } from './parts.ts'

/** The tooltip of a shortened name. */
export const WHOLE_NAME = {
  show: true,
  extraCssText: 'max-width:320px;white-space:normal;overflow-wrap:anywhere',
}

const ICON = 10
const TEXT_HEIGHT = 12
const MORE_HEIGHT = 18

/** The longest names first; the others are for phones and small tiles. */
const LAYOUTS = [28, 24, 20, 16, 12].flatMap((maxCharacters) =>
  [14, 8].map((gap) => ({ maxCharacters, gap })),
)

/** A higher legend would leave too little for the chart. */
const PREFERRED_SHARE = 0.25
const MAX_SHARE = 0.5

interface LegendOptions {
  readonly notDrawn?: number
  /** By default, shows a legend of several names. */
  readonly show?: boolean | null | undefined
  /** The names that are hidden until someone clicks them. */
  readonly hidden?: readonly string[]
}

/** Places a legend below the chart. The names beyond `MAX_NAMES` and the series that are not drawn are counted. */
export function legendBelow(
  frame: Frame,
  all: readonly string[],
  { notDrawn = 0, show, hidden: off = [] }: LegendOptions = {},
) {
  const selected = Object.fromEntries(off.map((name) => [name, false]))
  const isShown = show ?? all.length > 1
  if (!isShown) {
    const legend = { show: false, ...(off.length > 0 && { data: [...all], selected }) }
    return { legend, height: 0, graphic: [] as Graphic[] }
  }
  const names = all.slice(0, frame.showsAll ? MAX_LINES : MAX_NAMES)
  const hidden = all.length - names.length + notDrawn
  const more = hidden > 0 ? MORE_HEIGHT : 0
  const layouts = LAYOUTS.map((layout) => toLayout(frame, names, layout))
  const layout =
    layouts.find(({ height }) => height <= frame.height * PREFERRED_SHARE) ??
    layouts.toSorted((one, other) => one.height - other.height)[0]
  if (!layout || layout.height + more > frame.height * MAX_SHARE) {
    const graphic = [noteText(frame, `${all.length + notDrawn} series`)]
    return { legend: { show: false, selected }, height: MORE_HEIGHT, graphic }
  }
  const { height, gap, labels } = layout
  return {
    height: height + more + 4,
    graphic: hidden > 0 ? [moreText(frame, hidden)] : [],
    legend: {
      show: true,
      type: 'plain' as const,
      data: [...names],
      selected,
      left: 6,
      top: frame.height - height - more - 2,
      width: frame.width - 12,
      padding: 4,
      itemGap: gap,
      itemWidth: ICON,
      itemHeight: ICON,
      icon: 'roundRect',
      textStyle: { color: paletteOf(frame.scheme).text, fontSize: 12, fontFamily: FONT },
      formatter: (name: string) => labels.get(name) ?? name,
      tooltip: WHOLE_NAME,
    },
  }
}

function toLayout(
  { width }: Frame,
  names: readonly string[],
  { maxCharacters, gap }: { readonly maxCharacters: number; readonly gap: number },
) {
  const short = shortenLabels(names, maxCharacters)
  const room = width - 20
  let rows = 1
  let used = 0
  for (const label of short) {
    const needed = Math.min(maxLabelWidth(label) + ICON + 6 + gap, room)
    const isNewRow = used > 0 && used + needed > room
    rows += isNewRow ? 1 : 0
    used = isNewRow ? needed : used + needed
  }
  const labels = new Map(names.map((name, at) => [name, short[at] as string]))
  return { labels, gap, height: rows * (TEXT_HEIGHT + gap) - gap + 10 }
}

/** Overestimates the width of a label, so that ECharts never needs more rows than computed. */
const maxLabelWidth = (label: string): number =>
  [...label].reduce((sum, mark) => sum + ((mark.codePointAt(0) ?? 0) > 0x2e80 ? 13 : 7), 0)

/** Draws the number of values that are not shown at the bottom. */
export const moreText = (frame: Frame, count: number): Graphic => noteText(frame, `+${count} more`)

const noteText = (frame: Frame, text: string): Graphic =>
  drawText(text, { x: 12, y: frame.height - 11, fill: paletteOf(frame.scheme).dimmed, size: 11 })
