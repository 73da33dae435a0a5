import { BarChart, LineChart, PieChart } from 'echarts/charts'
import {
  GraphicComponent,
  GridComponent,
  LegendPlainComponent,
  TooltipComponent,
} from 'echarts/components'
import * as echarts from 'echarts/core'
import { SVGRenderer } from 'echarts/renderers'
import type { Chart, Frame } from '#model/chart.ts'
import { loadDrawings, toPointedOption } from '#model/charts/to-option.ts'
import { measureText } from './measure-text.ts'
import { toTooltip } from './tooltip.ts'

echarts.use([
  ...[BarChart, LineChart, PieChart, SVGRenderer],
  ...[GraphicComponent, GridComponent, LegendPlainComponent, TooltipComponent],
])

echarts.setPlatformAPI({ measureText: measureText as never })

export { echarts, loadDrawings }

/** Draws the chart as the server exports it, with a tooltip. Returns a function that removes it. */
export function drawInto(place: HTMLElement, chart: Chart, frame: Frame): () => void {
  const { width, height } = frame
  const drawing = echarts.init(place, null, { renderer: 'svg', width, height })
  const { option, summary, ...texts } = toPointedOption(chart, frame)
  place.ariaDescription = summary
  drawing.setOption({ ...option, tooltip: toTooltip(option, chart, { ...frame, ...texts }) })
  return () => drawing.dispose()
}
