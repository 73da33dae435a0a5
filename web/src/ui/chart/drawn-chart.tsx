import { UnstyledButton } from '@mantine/core'
import { useDisclosure, useReducedMotion } from '@mantine/hooks'
import type { ECharts, EChartsOption } from 'echarts'
import { type ComponentType, useEffect, useMemo, useRef } from 'react'
import type { Chart, ChartPoint, Limited } from '#model/chart.ts'
import { toPointedOption } from '#model/charts/to-option.ts'
import type { TableView } from '#model/query-kinds/query-kind.ts'
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
  /** Lists all series of a chart that cannot draw them. */
  readonly Table: ComponentType<{ readonly title: string } & Omit<TableView, 'form'>>
}

/** Draws the chart as the server exports it, with a tooltip and a legend that toggles series. */
export default function DrawnChart({ chart: unmarked, onPoint, Table }: DrawnChartProps) {
  const chart = useMarkedChart(unmarked)
  const scheme = useScheme()
  const animation = !useReducedMotion()
  const { ref: frame, width, height } = useSize<HTMLDivElement>()
  const place = useRef<HTMLDivElement>(null)
  const drawing = useRef<ECharts>(undefined)
  const given = useRef<Selected>({})
  const hasPlace = width > 0 && height > 0
  const [showsAll, { toggle: toggleAll }] = useDisclosure()
  const { option, findPoint, summary, format, headings, notes, limited } = useMemo(
    () =>
      hasPlace ? toPointedOption(chart, { scheme, animation, width, height, showsAll }) : NOTHING,
    [chart, scheme, animation, width, height, hasPlace, showsAll],
  )
  const isClickable = onPoint !== undefined && findPoint !== undefined

  useEffect(() => {
    if (!place.current || !option) return
    drawing.current ??= echarts.init(place.current, null, { renderer: 'svg', width, height })
    const tooltip = toTooltip(option, chart, { scheme, isClickable, format, headings, notes })
    const own = selectedIn(option)
    const selected = { ...own, ...toggledIn(drawing.current, given.current) }
    given.current = own
    draw(drawing.current, { ...option, tooltip, selected }, { width, height })
  }, [option, chart, scheme, width, height, isClickable, format, headings, notes])

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
      {limited && showsAll && !limited.canDraw && (
        <div className={classes.all}>
          <Table title={chart.title} {...limited.toTable()} />
        </div>
      )}
      {limited && (
        <UnstyledButton className={classes.showAll ?? ''} onClick={toggleAll}>
          {toShowLabel(limited, showsAll)}
        </UnstyledButton>
      )}
    </div>
  )
}

function toShowLabel({ count, canDraw }: Limited, showsAll: boolean): string {
  if (canDraw) return showsAll ? 'Show fewer' : `Show ${count} series`
  return showsAll ? 'Show chart' : `List all ${count}`
}

const NOTHING = {
  option: undefined,
  findPoint: undefined,
  summary: undefined,
  format: undefined,
  headings: undefined,
  notes: undefined,
  limited: undefined,
}

type Selected = Readonly<Record<string, boolean>>

interface DrawnOption extends EChartsOption {
  /** The names that the legend shows or hides. */
  readonly selected: Selected
}

function draw(
  drawing: ECharts,
  { selected, ...option }: DrawnOption,
  { width, height }: { readonly width: number; readonly height: number },
): void {
  if (drawing.getWidth() !== width || drawing.getHeight() !== height) {
    drawing.resize({ width, height, silent: true })
  }
  const legend = option.legend && { ...option.legend, selected }
  // no animation: a dozen charts growing at once would delay each other
  const all = { ...option, ...(legend && { legend }), animationDuration: 0 }
  drawing.setOption(all, { notMerge: true })
}

const selectedIn = ({ legend }: EChartsOption): Selected =>
  (legend as { selected?: Selected } | undefined)?.selected ?? {}

/** Series that someone hid or showed in the legend stay so after a refresh; the settings decide about the others. */
function toggledIn(drawing: ECharts, given: Selected): Selected {
  const [legend] = (drawing.getOption()?.legend ?? []) as { selected?: Selected }[]
  const changed = Object.entries(legend?.selected ?? {}).filter(
    ([name, isShown]) => isShown !== (given[name] ?? true),
  )
  return Object.fromEntries(changed)
}
