import type { EChartsOption, TooltipComponentOption } from 'echarts'
import classes from './chart.module.css'

interface Point {
  readonly seriesName?: string
  readonly name?: string
  readonly axisValueLabel?: string
  readonly color?: unknown
  readonly value?: unknown
}

/** Elements, not markup: a label stays text, and the page's policy allows no style in attributes. */
export function toTooltip(option: EChartsOption): TooltipComponentOption {
  return {
    show: true,
    trigger: 'xAxis' in option ? 'axis' : 'item',
    confine: true,
    formatter: (given) => {
      const points = (Array.isArray(given) ? given : [given]) as readonly Point[]
      const [first] = points
      const box = element('div', classes.tooltip)
      box.append(element('div', classes.heading, first?.axisValueLabel ?? first?.name ?? ''))
      for (const point of points) box.append(...toRow(point))
      return box
    },
  }
}

function toRow({ seriesName, color, value }: Point): HTMLElement[] {
  const mark = element('span')
  mark.append(toMark(typeof color === 'string' ? color : 'currentColor'))
  const label = element('span', '', isGiven(seriesName) ? seriesName : '')
  return [mark, label, element('span', classes.value, toText(value))]
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
