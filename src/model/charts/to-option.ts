import type { EChartsOption } from 'echarts'
import type { Chart, DrawChart, Drawing, FindPoint, Frame } from '../chart.ts'
import { QUERY_KINDS } from '../query-kinds/index.ts'
import { unwrapQuery } from '../query-node.ts'
import { withMarks } from './marks.ts'
import { message } from './parts.ts'

const drawings = new Map<unknown, DrawChart>()

/** Loads the code that draws each query kind. Call it before `toOption`. */
export async function loadDrawings(): Promise<void> {
  await Promise.all(
    QUERY_KINDS.map(async ({ kind, loadDrawing }) => drawings.set(kind, await loadDrawing())),
  )
}

/** Converts a chart to an ECharts option, for both pictures and browsers. */
export const toOption = (chart: Chart, frame: Frame): EChartsOption =>
  toPointedOption(chart, frame).option

interface PointedOption extends Pick<Drawing, 'format' | 'headings' | 'notes' | 'limited'> {
  readonly option: EChartsOption
  readonly findPoint: FindPoint | undefined
  readonly summary: string
}

/** Also tells which part of the result a mark stands for, and what the chart shows. */
export function toPointedOption(chart: Chart, frame: Frame): PointedOption {
  const drawn = withMarks(draw(chart, frame), chart.marks ?? [], frame)
  const { findPoint, summary = '', format, headings, notes, limited, days: _, ...option } = drawn
  return { option, findPoint, summary, format, headings, notes, limited }
}

function draw(chart: Chart, frame: Frame): Drawing {
  const drawKind = drawings.get(unwrapQuery(chart.query).source.kind)
  if (!drawKind) return message(frame, 'This kind of query cannot be drawn')
  if (chart.result === null || chart.result === undefined) return message(frame, 'Not computed yet')
  return drawKind(chart, frame)
}
