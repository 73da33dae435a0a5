import type { EChartsOption } from 'echarts'
import { type Chart, type Frame, NO_EVENTS } from '../chart.ts'
import { listOf } from '../fields.ts'
import { percent, shortNumber, toLabel } from '../format.ts'
import type { RetentionCohort } from '../query-results.ts'
import { drawCells, type HeatCell } from './cells.ts'
import { drawing, isNarrow, message } from './parts.ts'

/** Draws one row per cohort with the share of people who came back. */
export function drawRetention({ result }: Chart, frame: Frame): EChartsOption {
  const cohorts = listOf<RetentionCohort>(result)
  if (!cohorts.some(({ values }) => values.some(({ count }) => count > 0))) {
    return message(frame, NO_EVENTS)
  }
  const columns = cohorts[0]?.values.map(({ label }, at) =>
    isNarrow(frame) ? String(at) : toLabel(label),
  )
  const cells = cohorts.flatMap(({ values }, row) => {
    const size = values[0]?.count ?? 0
    return values.map(({ count }, column): HeatCell => {
      const share = size > 0 ? count / size : 0
      const rounded = Math.round(share * 100)
      const texts = size > 0 ? [percent(share), `${rounded}%`, `${rounded}`] : []
      return { column, row, heat: share, texts }
    })
  })
  const rows = cohorts.map(
    ({ label, values }) => `${toLabel(label)} · ${shortNumber(values[0]?.count ?? 0)}`,
  )
  const headWidth = isNarrow(frame) ? 92 : 128
  return drawing(frame, drawCells(frame, { rows, columns: columns ?? [], cells, headWidth }))
}
