import type { DrawingTask, Drawn, StoredResult } from '../contract.ts'
import { chartSvg } from './chart-svg.ts'
import { dashboardPages } from './dashboard-svg.ts'
import { withFont } from './embedded-font.ts'
import { inlineSvg } from './inline-svg.ts'
import { toPdf } from './pdf.ts'
import { toPng } from './png.ts'
import { type Sheet, toSvg } from './sheet.ts'

/** Wider than A4 at 96 dpi, which is 794, so that two tiles fit side by side. */
const PDF_WIDTH = 880

export async function draw(task: DrawingTask): Promise<Drawn> {
  const problems: string[] = []
  const note = (problem: string) => void problems.push(problem)
  return { picture: await toPicture(withResults(task), note), problems }
}

/** Parses the results that came as JSON. */
const withResults = (task: DrawingTask): DrawingTask =>
  'chart' in task
    ? { ...task, chart: withResult(task.chart) }
    : { ...task, dashboard: { ...task.dashboard, tiles: task.dashboard.tiles.map(withResult) } }

const withResult = <T extends { readonly result?: unknown }>(chart: T): T =>
  isStored(chart.result) ? { ...chart, result: JSON.parse(chart.result.storedResult) } : chart

const isStored = (result: unknown): result is StoredResult =>
  typeof (result as StoredResult | null | undefined)?.storedResult === 'string'

async function toPicture(
  task: DrawingTask,
  note: (problem: string) => void,
): Promise<string | Uint8Array> {
  switch (task.type) {
    case 'svg':
      return withFont(toSvg(chartSvg(task.chart, task.look, note)))
    case 'png':
      return toPng(chartSvg(task.chart, task.look, note))
    case 'inlineSvg':
      return inlineSvg(task.chart, task.look, note)
    case 'dashboardPng': {
      const { dashboard, scheme, width, height } = task
      const [sheet] = dashboardPages(dashboard, { scheme, width, pageHeight: height }, note)
      return toPng(sheet as Sheet)
    }
    case 'dashboardPdf': {
      const { dashboard } = task
      const pageHeight = Math.floor(PDF_WIDTH * Math.SQRT2)
      const look = { scheme: 'light', width: PDF_WIDTH, pageHeight } as const
      return toPdf(dashboardPages(dashboard, look, note), dashboard)
    }
  }
}
