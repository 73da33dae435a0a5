import { useReducedMotion } from '@mantine/hooks'
import type { ECharts, EChartsOption } from 'echarts'
import { useEffect, useMemo, useRef } from 'react'
import type { Chart, ChartPoint } from '#model/chart.ts'
import { toPointedOption } from '#model/charts/to-option.ts'
import classes from './chart.module.css'
import { echarts, loadDrawings } from './echarts.ts'
import { onMarkClick } from './points.ts'
import { hasLines, toTooltip } from './tooltip.ts'
import { useMarkedChart } from './use-marked-chart.ts'
import { useScheme } from './use-scheme.ts'
import { useSize } from './use-size.ts'

export { loadDrawings }

export interface DrawnChartProps {
  readonly chart: Chart
  /** Makes the marks of the chart clickable. */
  readonly onPoint?: ((point: ChartPoint) => void) | undefined
}

/** Draws the chart as the server exports it, with a tooltip and a legend that toggles series. */
export default function DrawnChart({ chart: given, onPoint }: DrawnChartProps) {
  const chart = useMarkedChart(given)
  const scheme = useScheme()
  const animation = !useReducedMotion()
  const { ref: frame, width, height } = useSize<HTMLDivElement>()
  const place = useRef<HTMLDivElement>(null)
  const drawing = useRef<ECharts>(undefined)
  const hasPlace = width > 0 && height > 0
  const { option, findPoint, summary, unit } = useMemo(
    () => (hasPlace ? toPointedOption(chart, { scheme, animation, width, height }) : NOTHING),
    [chart, scheme, animation, width, height, hasPlace],
  )
  const isClickable = onPoint !== undefined && findPoint !== undefined

  useEffect(() => {
    if (!place.current || !option) return
    drawing.current ??= echarts.init(place.current, null, { renderer: 'svg', width, height })
    const tooltip = toTooltip(option, chart, { scheme, isClickable, unit })
    draw(drawing.current, option, tooltip, { width, height })
  }, [option, chart, scheme, width, height, isClickable, unit])

  useEffect(() => {
    if (!drawing.current || !onPoint || !findPoint) return
    return onMarkClick(drawing.current, ({ series, item }) => {
      const point = findPoint(series, item)
      if (point) onPoint(point)
    })
  }, [onPoint, findPoint])

  useEffect(
    () => () => {
      drawing.current?.dispose()
      drawing.current = undefined
    },
    [],
  )

  return (
    <div ref={frame} className={classes.drawing}>
      <div
        ref={place}
        className={`${classes.drawing} ${isClickable && hasLines(option) ? classes.clickable : ''}`}
        role="img"
        aria-label={chart.title}
        aria-description={summary}
      />
    </div>
  )
}

const NOTHING = { option: undefined, findPoint: undefined, summary: undefined, unit: undefined }

function draw(
  drawing: ECharts,
  option: EChartsOption,
  tooltip: EChartsOption['tooltip'],
  { width, height }: { readonly width: number; readonly height: number },
): void {
  if (drawing.getWidth() !== width || drawing.getHeight() !== height) {
    drawing.resize({ width, height, silent: true })
  }
  const legend = option.legend && { ...option.legend, selected: hiddenIn(drawing) }
  // no animation: a dozen charts growing at once would delay each other
  const all = { ...option, ...(legend && { legend }), tooltip, animationDuration: 0 }
  drawing.setOption(all, { notMerge: true })
}

/** Series hidden in the legend stay hidden after a refresh. */
function hiddenIn(drawing: ECharts): Record<string, boolean> {
  const [legend] = (drawing.getOption()?.legend ?? []) as { selected?: Record<string, boolean> }[]
  return legend?.selected ?? {}
}
