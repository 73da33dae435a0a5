import { type Chart, type Drawing, type Frame, NO_EVENTS } from '../chart.ts'
import { percent, shortNumber, toLabel } from '../format.ts'
import { listOf } from '../json.ts'
import type { RetentionCohort } from '../query-results.ts'
import { drawCells, type HeatCell } from './cells.ts'
import { drawing, isNarrow, message } from './parts.ts'
import { meanShares, scaleHeat, toCohortName } from './retention-rows.ts'
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
  const toHeat = scaleHeat(cohorts)
  const toCell = (share: number, column: number, row: number): HeatCell => {
    const rounded = Math.round(share * 100)
    const texts = [percent(share), `${rounded}%`, `${rounded}`]
    return { column, row, heat: toHeat(share, column), texts }
  }
  const meanCells = means.flatMap((share, column) =>
    share === undefined ? [] : [toCell(share, column, 0)],
  )
  const rowCells = cohorts.flatMap(({ values }, at) => {
    const size = values[0]?.count ?? 0
    if (size === 0) return []
    return values.map(({ count, unfinished = false }, column) => ({
      ...toCell(count / size, column, at + 1),
      isHatched: unfinished,
    }))
  })
  const names = cohorts.map(
    (cohort) => `${toCohortName(cohort)} · ${shortNumber(cohort.values[0]?.count ?? 0)}`,
  )
  const grid = {
    rows: ['Mean', ...names],
    columns: columns ?? [],
    cells: [...meanCells, ...rowCells],
    headWidth: isNarrow(frame) ? 92 : 128,
    corner: ['', '', 'Percent'],
  }
  return {
    ...drawing(frame, drawCells(frame, grid)),
    summary: summarizeRetention(cohorts, means),
  }
}
