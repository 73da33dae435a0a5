import { useComputedColorScheme } from '@mantine/core'
import { useReducedMotion } from '@mantine/hooks'
import type { ECharts, EChartsOption } from 'echarts'
import { useEffect, useMemo, useRef } from 'react'
import type { Chart } from '#model/chart.ts'
import { toOption } from '#model/charts/to-option.ts'
import classes from './chart.module.css'
import { toTooltip } from './chart-tooltip.ts'
import { echarts, loadDrawings } from './echarts.ts'
import { useSize } from './use-size.ts'

export { loadDrawings }

/** Draws the chart as the server exports it, with a tooltip and a legend that toggles series. */
export default function DrawnChart({ chart }: { readonly chart: Chart }) {
  const scheme = useComputedColorScheme('light')
  const animation = !useReducedMotion()
  const { ref: frame, width, height } = useSize<HTMLDivElement>()
  const place = useRef<HTMLDivElement>(null)
  const drawing = useRef<ECharts>(undefined)
  const hasPlace = width > 0 && height > 0
  const option = useMemo(
    () => (hasPlace ? toOption(chart, { scheme, animation, width, height }) : undefined),
    [chart, scheme, animation, width, height, hasPlace],
  )

  useEffect(() => {
    if (!place.current || !option) return
    drawing.current ??= echarts.init(place.current, null, { renderer: 'svg', width, height })
    draw(drawing.current, option, toTooltip(option, chart, scheme), { width, height })
  }, [option, chart, scheme, width, height])

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
        className={classes.drawing}
        role="img"
        aria-label={option ? toWords(chart.title, option) : chart.title}
      />
    </div>
  )
}

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

/** Adds a text-only drawing's words to the accessible name. */
function toWords(title: string, option: EChartsOption): string {
  if (option.series || !Array.isArray(option.graphic)) return title
  const texts = option.graphic.map((one) => (one as { style?: { text?: string } }).style?.text)
  return [title, ...texts].filter(Boolean).join(': ').slice(0, 300)
}
