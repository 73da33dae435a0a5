import type { Chart, Scheme } from '#model/chart.ts'
import { message } from '#model/charts/parts.ts'
import { loadDrawings, toPointedOption } from '#model/charts/to-option.ts'
import { cleanSvg, innerSvg } from './clean-svg.ts'
import { echarts } from './echarts.ts'
import { measureText } from './fonts.ts'

await loadDrawings()
// without a canvas, ECharts would guess the width of text
echarts.setPlatformAPI({ measureText: measureText as never })

export interface Box {
  readonly scheme: Scheme
  readonly width: number
  readonly height: number
  /** The prefix of element IDs, which must be unique within a document. */
  readonly idPrefix: string
}

type Option = ReturnType<typeof toPointedOption>['option']

export interface DrawnChart {
  /** The SVG without its root element. */
  readonly content: string
  /** One sentence for people who do not see the chart. */
  readonly summary: string
}

/** Draws a chart. If that fails, draws a message and reports why to `note`. */
export function drawChart(chart: Chart, box: Box, note: (problem: string) => void): DrawnChart {
  const look = { ...box, animation: false }
  try {
    const { option, summary } = toPointedOption(chart, look)
    return { content: render(option, box), summary }
  } catch (error) {
    note(String((error as Error).stack))
    return { content: render(message(look, 'This result cannot be drawn'), box), summary: '' }
  }
}

export const drawMessage = (text: string, box: Box): string =>
  render(message({ ...box, animation: false }, text), box)

function render(option: Option, { width, height, idPrefix }: Box): string {
  const chart = echarts.init(null, null, { renderer: 'svg', ssr: true, width, height })
  try {
    chart.setOption(option)
    return innerSvg(cleanSvg(chart.renderToSVGString(), idPrefix))
  } finally {
    chart.dispose()
  }
}
