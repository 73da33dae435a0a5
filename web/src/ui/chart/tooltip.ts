import type { EChartsOption, TooltipComponentOption } from 'echarts'
import type { Chart, Scheme } from '#model/chart.ts'
import { shortenLabels } from '#model/charts/labels.ts'
import type { PointNotes } from '#model/charts/point-notes.ts'
import { listOf } from '#model/json.ts'
import { type NumberFormat, PLAIN } from '#model/number-format.ts'
import { paletteOf } from '#model/palette.ts'
import { kindOf } from '#model/query-kinds/index.ts'
import type { TrendSeries } from '#model/query-results.ts'
import { listPersonIds, toPathLabel } from '#model/series-names.ts'
import classes from './chart.module.css'

interface Point {
  readonly componentType?: string
  readonly seriesName?: string
  readonly seriesType?: string
  readonly dataType?: string
  readonly dataIndex?: number
  readonly name?: string
  readonly axisValueLabel?: string
  readonly color?: unknown
  readonly value?: unknown
  readonly percent?: number
  /** Holds the share of a country. */
  readonly data?: { readonly share?: string } | undefined
}

interface Row {
  readonly color?: unknown
  readonly label: string
  readonly value: string
  /** Follows the value, less prominent. */
  readonly note?: string
}

/** More rows would hide the chart. */
const MAX_ROWS = 12
/** Fits into one line. */
const MAX_LABEL = 38

interface TooltipSettings {
  readonly scheme: Scheme
  /** A click shows the persons. */
  readonly isClickable?: boolean
  readonly format?: NumberFormat | undefined
  /** The full names of the intervals; the axis has short ones. */
  readonly headings?: readonly string[] | undefined
  /** The shares and changes of the points. */
  readonly notes?: PointNotes | undefined
}

/** Builds DOM elements, not HTML: labels stay text, and the CSP forbids style attributes. */
export function toTooltip(
  option: EChartsOption,
  chart: Chart,
  { scheme, isClickable = false, format = PLAIN, headings = [], notes }: TooltipSettings,
): TooltipComponentOption {
  const kind = kindOf(chart.query)
  const ids = listPersonIds(listOf<TrendSeries>(chart.result))
  return {
    show: 'series' in option,
    trigger: 'xAxis' in option ? 'axis' : 'item',
    axisPointer: {
      type: kind?.describePoint ? 'none' : hasLines(option) ? 'line' : 'shadow',
      shadowStyle: { opacity: 0.35 },
    },
    confine: true,
    ...toStyle(scheme),
    formatter: (given) => {
      const points = (Array.isArray(given) ? given : [given]) as readonly Point[]
      const described = kind?.describePoint?.(chart.result, points[0]?.dataIndex ?? -1)
      const { heading, rows }: TooltipContent = described ?? toLines(points, format, notes)
      const box = element('div', classes.tooltip)
      const addHint = (text: string | undefined) =>
        text && box.append(element('div', classes.hint, text))
      const interval = headings[points[0]?.dataIndex ?? -1]
      box.append(element('div', classes.heading, interval ?? heading))
      addHint(ids.get(heading))
      for (const row of rows.slice(0, MAX_ROWS)) {
        box.append(...toRow(row))
        addHint(ids.get(row.label))
      }
      const more = rows.length - MAX_ROWS
      if (more > 0) box.append(element('div', classes.heading, `+${more} more`))
      if (notes && rows.some(({ note }) => note)) {
        addHint(notes.legend)
      }
      const [first] = points
      const mark = findMark(option, first?.dataIndex)
      if (mark) box.append(element('div', classes.heading, mark))
      const isMark = first?.dataType !== 'node' && first?.componentType === 'series'
      if (isClickable && isMark && rows.length > 0) {
        addHint('Click to view persons')
      }
      return box
    },
  }
}

/** Finds the annotations of an interval: labels of the upper axis, which are cut or hidden where space is short. */
function findMark({ xAxis }: EChartsOption, at = -1): string | undefined {
  const axes = [xAxis].flat() as ({ position?: string; data?: readonly string[] } | undefined)[]
  return axes.find((axis) => axis?.position === 'top')?.data?.[at]
}

function toStyle(scheme: Scheme): TooltipComponentOption {
  const { surface, hairline, text } = paletteOf(scheme)
  return {
    backgroundColor: surface,
    borderColor: hairline,
    textStyle: { color: text },
    padding: [8, 12],
  }
}

/** Goals and averages are lines too, but nothing can be clicked on them. */
export const hasLines = ({ series }: EChartsOption): boolean =>
  listOf<{ type?: string; silent?: boolean }>(series).some(
    ({ type, silent }) => type === 'line' && !silent,
  )

interface TooltipContent {
  readonly heading: string
  readonly rows: readonly Row[]
}

/** One row per series, largest first. */
function toLines(
  points: readonly Point[],
  format: NumberFormat,
  notes: PointNotes | undefined,
): TooltipContent {
  const [first] = points
  const heading = first?.axisValueLabel ?? first?.name ?? ''
  const sorted = withoutRepeats(points).toSorted((one, other) => toAmount(other) - toAmount(one))
  const names = sorted.map(({ seriesName, percent, data }) => {
    if (isGiven(seriesName)) return seriesName
    return percent === undefined ? (data?.share ?? '') : format.percent(percent / 100)
  })
  // several rows of several lines would not fit; the legend shows the whole names
  const labels = names.length > 1 ? shortenLabels(names, MAX_LABEL) : names
  const rows = sorted.map(({ color, value, seriesName = '', seriesType, dataIndex = -1 }, at) => ({
    color,
    label: labels[at] as string,
    value: seriesType === 'boxplot' ? toBoxText(value, format) : toText(value, format),
    ...notes?.find(seriesName, dataIndex),
  }))
  return { heading: withoutSteps(first, heading), rows }
}

/** Drops the point that a line shares with its dotted end, which is a second series of the same name. */
function withoutRepeats(points: readonly Point[]): readonly Point[] {
  // a country without a value has NaN
  const shown = points.filter(({ value }) => value !== null && !Number.isNaN(value ?? Number.NaN))
  return shown.filter(
    ({ seriesName }, at) =>
      !isGiven(seriesName) || shown.findIndex((one) => one.seriesName === seriesName) === at,
  )
}

const toAmount = ({ value }: Point): number => Number(Array.isArray(value) ? value.at(-1) : value)

/** Strips step numbers from a path: `1_/home > 2_/pricing`. */
const withoutSteps = (point: Point | undefined, name: string): string =>
  point?.seriesType === 'sankey' ? name.split(' > ').map(toPathLabel).join(' → ') : name

function toRow({ color, label, value, note = '' }: Row): HTMLElement[] {
  const mark = element('span')
  if (color !== undefined) mark.append(toMark(typeof color === 'string' ? color : 'currentColor'))
  return [
    mark,
    element('span', classes.label, label),
    element('span', classes.value, value),
    element('span', classes.note, note),
  ]
}

/** ECharts generates names for unnamed series. */
const isGiven = (name: string | undefined): name is string =>
  name !== undefined && !name.startsWith('series\u0000')

function toMark(color: string): SVGElement {
  const namespace = 'http://www.w3.org/2000/svg'
  const svg = document.createElementNS(namespace, 'svg')
  svg.setAttribute('class', classes.mark ?? '')
  svg.setAttribute('viewBox', '0 0 8 8')
  const dot = document.createElementNS(namespace, 'circle')
  for (const [name, at] of Object.entries({ cx: 4, cy: 4, r: 4, fill: color })) {
    dot.setAttribute(name, String(at))
  }
  svg.append(dot)
  return svg
}

function toText(value: unknown, format: NumberFormat): string {
  const last = Array.isArray(value) ? value.at(-1) : value
  return typeof last === 'number' ? format.full(last) : String(last ?? '')
}

/** Writes the median, the middle half and the ends of a box, whose value begins with its place on the axis. */
function toBoxText(value: unknown, format: NumberFormat): string {
  const [min, low, median, high, max] = listOf<number>(value).slice(-5).map(format.full)
  return max === undefined ? '–' : `${median} (half ${low} to ${high}, all ${min} to ${max})`
}

function element(tag: string, className = '', text = ''): HTMLElement {
  const created = document.createElement(tag)
  created.className = className ?? ''
  created.textContent = text
  return created
}
