import type { ECharts, EChartsOption } from 'echarts'
import { isObject, listOf } from '#model/json.ts'

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
  readonly silent?: boolean
}

interface ClickedItem {
  readonly componentType?: string
  readonly seriesIndex?: number
  readonly dataIndex?: number
  readonly dataType?: string
}

/**
 * Reports the mark that was clicked. Lines are thin and bars may be short, so a click anywhere on the plot counts for the
 * nearest line, or the bar of its column.
 */
export function onMarkClick(drawing: ECharts, report: (mark: Mark) => void): () => void {
  const isLines = () => listSeries(drawing).some(({ type, silent }) => type === 'line' && !silent)
  const onItem = (given: unknown) => {
    const { componentType, seriesIndex: series, dataIndex: item, dataType } = given as ClickedItem
    if (isLines() || componentType !== 'series' || dataType === 'node') return
    if (series !== undefined && item !== undefined) report({ series, item })
  }
  const onPlot = ({ offsetX, offsetY, target }: PlotClick) => {
    const at: [number, number] = [offsetX, offsetY]
    const isBar = !isLines()
    // a bar that was hit reports itself
    if ((isBar && target) || !hasGrid(drawing) || !drawing.containPixel('grid', at)) return
    const [x = 0, y = 0] = drawing.convertFromPixel('grid', at) as number[]
    const [place, value] = isLying(drawing) ? [y, x] : [x, y]
    const shown = visibleSeries(drawing)
    const mark = isBar ? findBar(shown, place, value) : findNearest(shown, Math.round(place), value)
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

const hasGrid = (drawing: ECharts): boolean => listOf(drawing.getOption()?.grid).length > 0

/** Tells whether bars lie: their names are beside the vertical axis. */
const isLying = (drawing: ECharts): boolean =>
  listOf<{ type?: string }>(drawing.getOption()?.yAxis)[0]?.type === 'category'

const listSeries = (drawing: ECharts): readonly DrawnSeries[] =>
  listOf(drawing.getOption()?.series as EChartsOption['series'])

interface PlotClick {
  readonly offsetX: number
  readonly offsetY: number
  /** The element below the pointer. */
  readonly target?: unknown
}

/** A hatched bar is an object. */
const toValue = (item: unknown): unknown => (isObject(item) ? item.value : item)

type VisibleSeries = DrawnSeries & { readonly at: number }

function visibleSeries(drawing: ECharts): readonly VisibleSeries[] {
  const [legend] = (drawing.getOption()?.legend ?? []) as { selected?: Record<string, boolean> }[]
  return listSeries(drawing)
    .map((series, at) => ({ ...series, at }))
    .filter(({ name = '', silent }) => !silent && legend?.selected?.[name] !== false)
}

/** The bars of an interval take this part of its width, and gaps the rest. */
const BARS_PART = 0.8

/** Finds the bar of a place on the axis; of stacked ones, that of the value. */
export function findBar(
  all: readonly VisibleSeries[],
  place: number,
  value: number,
): Mark | undefined {
  const item = Math.round(place)
  if (all.length === 0 || all.some(({ stack }) => stack !== undefined)) {
    // negative values are stacked below the axis
    const isSameSide = ({ data = [] }: VisibleSeries) =>
      Number(toValue(data[item])) < 0 === value < 0
    return findNearest(all.filter(isSameSide), item, value)
  }
  const within = (place - item) / BARS_PART + 0.5
  const at = Math.min(all.length - 1, Math.max(0, Math.floor(within * all.length)))
  return findNearest(all.slice(at, at + 1), item, value)
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
    const own = toValue(data[item])
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
