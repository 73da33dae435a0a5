import type { EChartsOption, TooltipComponentOption } from 'echarts'
import { type Chart, listOf, type Scheme, unwrap } from '#model/chart.ts'
import { stepName } from '#model/charts/funnel.ts'
import { duration, fullNumber, percent, toLabel } from '#model/format.ts'
import { paletteOf } from '#model/palette.ts'
import type { FunnelStep } from '#model/query-results.ts'
import classes from './chart.module.css'

interface Point {
  readonly seriesName?: string
  readonly seriesType?: string
  readonly dataType?: string
  readonly dataIndex?: number
  readonly name?: string
  readonly axisValueLabel?: string
  readonly color?: unknown
  readonly value?: unknown
  readonly percent?: number
}

interface Row {
  readonly color?: unknown
  readonly label: string
  readonly value: string
}

/** More lines than this hide the chart. */
const MOST_ROWS = 12

/** Elements, not markup: a label stays text, and the page's policy allows no style in attributes. */
export function toTooltip(
  option: EChartsOption,
  chart: Chart,
  scheme: Scheme,
): TooltipComponentOption {
  return {
    show: 'series' in option,
    trigger: 'xAxis' in option ? 'axis' : 'item',
    axisPointer: {
      type: isFunnel(chart) ? 'none' : hasLines(option) ? 'line' : 'shadow',
      shadowStyle: { opacity: 0.35 },
    },
    confine: true,
    ...toBubble(scheme),
    formatter: (given) => {
      const points = (Array.isArray(given) ? given : [given]) as readonly Point[]
      const { heading, rows } = findStep(points, chart) ?? toLines(points)
      const box = element('div', classes.tooltip)
      box.append(element('div', classes.heading, heading))
      for (const row of rows.slice(0, MOST_ROWS)) box.append(...toRow(row))
      const more = rows.length - MOST_ROWS
      if (more > 0) box.append(element('div', classes.heading, `and ${more} more`))
      return box
    },
  }
}

function toBubble(scheme: Scheme): TooltipComponentOption {
  const { surface, hairline, text } = paletteOf(scheme)
  return {
    backgroundColor: surface,
    borderColor: hairline,
    textStyle: { color: text },
    padding: [8, 12],
  }
}

const hasLines = ({ series }: EChartsOption): boolean =>
  listOf<{ type?: string }>(series).some(({ type }) => type === 'line')

interface Told {
  readonly heading: string
  readonly rows: readonly Row[]
}

const isFunnel = ({ query }: Chart): boolean => unwrap(query).source.kind === 'FunnelsQuery'

/** A step of a funnel is drawn with several bars, and is one thing. */
function findStep([point]: readonly Point[], chart: Chart): Told | undefined {
  if (!isFunnel(chart)) return undefined
  const step = listOf<FunnelStep>(chart.result)[point?.dataIndex ?? -1]
  if (typeof step?.conversion_rate !== 'number') return undefined
  const median = step.median_conversion_time
  return {
    heading: stepName(step),
    rows: [
      { label: 'People', value: fullNumber(step.count) },
      { label: 'Of all', value: percent(step.conversion_rate) },
      ...(step.order > 0
        ? [{ label: 'Of the step before', value: percent(step.step_conversion_rate) }]
        : []),
      ...(median === null ? [] : [{ label: 'Median time', value: duration(median) }]),
    ],
  }
}

/** The largest first, as far as there are several. */
function toLines(points: readonly Point[]): Told {
  const [first] = points
  const heading = first?.axisValueLabel ?? first?.name ?? ''
  const rows = onceEach(points)
    .toSorted((one, other) => amountOf(other) - amountOf(one))
    .map(({ seriesName, color, value, percent: share }) => ({
      color,
      label: isGiven(seriesName) ? seriesName : share === undefined ? '' : `${share}%`,
      value: toText(value),
    }))
  return { heading: withoutSteps(first, heading), rows }
}

/** The dotted end of a line is a line of the same name, and both are at the point where they meet. */
function onceEach(points: readonly Point[]): readonly Point[] {
  const shown = points.filter(({ value }) => value !== null && value !== undefined)
  return shown.filter(
    ({ seriesName }, at) =>
      !isGiven(seriesName) || shown.findIndex((one) => one.seriesName === seriesName) === at,
  )
}

const amountOf = ({ value }: Point): number => Number(Array.isArray(value) ? value.at(-1) : value)

/** Of a path: `1_/home > 2_/pricing`. */
const withoutSteps = (point: Point | undefined, name: string): string =>
  point?.seriesType === 'sankey'
    ? name
        .split(' > ')
        .map((part) => toLabel(part.replace(/^\d+_/, '')))
        .join(' → ')
    : name

function toRow({ color, label, value }: Row): HTMLElement[] {
  const mark = element('span')
  if (color !== undefined) mark.append(toMark(typeof color === 'string' ? color : 'currentColor'))
  return [mark, element('span', classes.label, label), element('span', classes.value, value)]
}

/** ECharts names what has no name. */
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

function toText(value: unknown): string {
  const last = Array.isArray(value) ? value.at(-1) : value
  return typeof last === 'number'
    ? last.toLocaleString('en', { maximumFractionDigits: 2 })
    : String(last ?? '')
}

function element(tag: string, className = '', text = ''): HTMLElement {
  const made = document.createElement(tag)
  made.className = className ?? ''
  made.textContent = text
  return made
}
