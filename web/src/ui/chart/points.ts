import type { ECharts, EChartsOption } from 'echarts'
import { listOf } from '#model/json.ts'

/** A mark of a drawing, by its positions in the option. */
export interface Mark {
  readonly series: number
  readonly item: number
}

interface DrawnSeries {
  readonly type?: string
  readonly name?: string
  readonly stack?: string
  readonly data?: readonly unknown[]
}

interface ClickedItem {
  readonly componentType?: string
  readonly seriesIndex?: number
  readonly dataIndex?: number
  readonly dataType?: string
}

/** Reports the mark that was clicked. A line is thin, so a click anywhere on the plot counts for the nearest line. */
export function onMarkClick(drawing: ECharts, report: (mark: Mark) => void): () => void {
  const isLines = () => listSeries(drawing).some(({ type }) => type === 'line')
  const onItem = (given: unknown) => {
    const { componentType, seriesIndex: series, dataIndex: item, dataType } = given as ClickedItem
    if (isLines() || componentType !== 'series' || dataType === 'node') return
    if (series !== undefined && item !== undefined) report({ series, item })
  }
  const onPlot = ({ offsetX, offsetY }: { offsetX: number; offsetY: number }) => {
    const at: [number, number] = [offsetX, offsetY]
    if (!isLines() || !drawing.containPixel('grid', at)) return
    const [item = 0, value = 0] = drawing.convertFromPixel('grid', at) as number[]
    const mark = findNearest(visibleSeries(drawing), Math.round(item), value)
    if (mark) report(mark)
  }
  drawing.on('click', onItem)
  drawing.getZr().on('click', onPlot)
  return () => {
    if (drawing.isDisposed()) return
    drawing.off('click', onItem)
    drawing.getZr().off('click', onPlot)
  }
}

const listSeries = (drawing: ECharts): readonly DrawnSeries[] =>
  listOf(drawing.getOption()?.series as EChartsOption['series'])

type VisibleSeries = DrawnSeries & { readonly at: number }

function visibleSeries(drawing: ECharts): readonly VisibleSeries[] {
  const [legend] = (drawing.getOption()?.legend ?? []) as { selected?: Record<string, boolean> }[]
  return listSeries(drawing)
    .map((series, at) => ({ ...series, at }))
    .filter(({ name = '' }) => legend?.selected?.[name] !== false)
}

/** Finds the line nearest to a value; of stacked areas, the one that the value is in. */
export function findNearest(
  all: readonly VisibleSeries[],
  item: number,
  value: number,
): Mark | undefined {
  const tops = new Map<string, number>()
  let nearest: { readonly mark: Mark; readonly distance: number } | undefined
  for (const { at, stack, data = [] } of all) {
    const own = data[item]
    if (typeof own !== 'number') continue
    const top = own + (stack === undefined ? 0 : (tops.get(stack) ?? 0))
    if (stack !== undefined) tops.set(stack, top)
    const isBelow = stack !== undefined && top < value
    const distance = isBelow ? Number.MAX_VALUE : Math.abs(top - value)
    // a value above all areas counts for the last, which is the top one
    if (!nearest || distance < nearest.distance || (isBelow && nearest.distance === distance)) {
      nearest = { mark: { series: at, item }, distance }
    }
  }
  return nearest?.mark
}
