import type { RetentionCohort } from '#model/query-results.ts'
import type { AlertProblem, AlertValue, MeasureOptions } from './measure.ts'

/** Finds the share of a cohort that came back in the period after, for the newest cohort with a complete one. */
export function measureRetention(
  results: readonly unknown[],
  { includeCurrent }: MeasureOptions,
): AlertValue | AlertProblem {
  const rates = (results as readonly RetentionCohort[]).flatMap(({ values: [first, next] }) =>
    first && next && first.count > 0 && (includeCurrent || !next.unfinished)
      ? [next.count / first.count]
      : [],
  )
  const value = rates.at(-1)
  if (value === undefined) return { problem: 'No cohort has had time to come back.' }
  return { value, earlier: rates.slice(0, -1) }
}
