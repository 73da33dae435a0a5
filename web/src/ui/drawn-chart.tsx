import { useComputedColorScheme } from '@mantine/core'
import { useElementSize, useReducedMotion } from '@mantine/hooks'
import { BarChart, LineChart, PieChart, SankeyChart } from 'echarts/charts'
import {
  GraphicComponent,
  GridComponent,
  LegendComponent,
  TooltipComponent,
} from 'echarts/components'
import * as echarts from 'echarts/core'
import { SVGRenderer } from 'echarts/renderers'
import { useEffect, useRef } from 'react'
import type { Chart } from '../../../src/charts/chart.ts'
import { toOption } from '../../../src/charts/to-option.ts'
import classes from './chart.module.css'
import { toTooltip } from './chart-tooltip.ts'

echarts.use([
  ...[BarChart, LineChart, PieChart, SankeyChart, SVGRenderer],
  ...[GraphicComponent, GridComponent, LegendComponent, TooltipComponent],
])

/** The same picture as the server's exports, and a tooltip. */
export default function DrawnChart({ chart }: { readonly chart: Chart }) {
  const scheme = useComputedColorScheme('light')
  const animation = !useReducedMotion()
  const { ref: size, width, height } = useElementSize()
  const place = useRef<HTMLDivElement>(null)
  useEffect(() => {
    if (!place.current || width === 0 || height === 0) return
    const drawing = echarts.init(place.current, null, { renderer: 'svg', width, height })
    const option = toOption(chart, { scheme, animation, width, height })
    drawing.setOption({ ...option, tooltip: toTooltip(option) })
    return () => drawing.dispose()
  }, [chart, scheme, animation, width, height])
  return (
    <div ref={size} className={classes.drawing}>
      <div ref={place} className={classes.drawing} role="img" aria-label={chart.title} />
    </div>
  )
}
