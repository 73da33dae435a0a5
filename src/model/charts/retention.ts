import { type Chart, type Drawing, type Frame, NO_EVENTS } from '../chart.ts'
import { percent, shortNumber, toLabel } from '../format.ts'
import { listOf } from '../json.ts'
import type { RetentionCohort } from '../query-results.ts'
import { drawCells, type HeatCell } from './cells.ts'
import { drawing, isNarrow, message } from './parts.ts'
import { meanShares, toCohortName } from './retention-rows.ts'
import { summarizeRetention } from './summary.ts'

/** Draws one row per cohort with the share of persons who came back, and the mean above them. */
export function drawRetention({ result }: Chart, frame: Frame): Drawing {
  const cohorts = listOf<RetentionCohort>(result)
  if (!cohorts.some(({ values }) => values.some(({ count }) => count > 0))) {
    return message(frame, NO_EVENTS)
  }
  const columns = cohorts[0]?.values.map(({ label }, at) =>
    isNarrow(frame) ? String(at) : toLabel(label),
  )
  const means = meanShares(cohorts)
  const shares = cohorts.map(({ values }) => {
    const size = values[0]?.count ?? 0
    return size > 0 ? values.map(({ count }) => count / size) : []
  })
  const cells = [means, ...shares].flatMap((row, at) =>
    row.map((share, column) => toCell(share, column, at)),
  )
  const names = cohorts.map(
    (cohort) => `${toCohortName(cohort)} · ${shortNumber(cohort.values[0]?.count ?? 0)}`,
  )
  const grid = {
    rows: ['Mean', ...names],
    columns: columns ?? [],
    cells,
    headWidth: isNarrow(frame) ? 92 : 128,
    corner: ['', '', 'Percent'],
  }
  return {
    ...drawing(frame, drawCells(frame, grid)),
    summary: summarizeRetention(cohorts, means),
  }
}

function toCell(share: number, column: number, row: number): HeatCell {
  const rounded = Math.round(share * 100)
  return { column, row, heat: share, texts: [percent(share), `${rounded}%`, `${rounded}`] }
}
