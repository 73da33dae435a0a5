import { shortDay } from '../format.ts'
import type { RetentionCohort } from '../query-results.ts'

/** Names a cohort by the start of its period; its label says whether that is a day, a month, ... */
export const toCohortName = ({ date, label }: RetentionCohort): string =>
  shortDay(date, /^\w+/.exec(label)?.[0].toLowerCase())

/** Returns the share of all persons who came back, by interval, of the cohorts that had the time to. */
export function meanShares(cohorts: readonly RetentionCohort[]): number[] {
  const longest = Math.max(0, ...cohorts.map(({ values }) => values.length))
  return Array.from({ length: longest }, (_, at) => {
    const old = cohorts.filter(({ values }) => values.length > at)
    const sum = (index: number) =>
      old.reduce((total, { values }) => total + (values[index]?.count ?? 0), 0)
    return sum(0) > 0 ? sum(at) / sum(0) : 0
  })
}
