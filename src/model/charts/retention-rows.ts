import { shortDay } from '../format.ts'
import type { RetentionCohort } from '../query-results.ts'

/** Names a cohort by the start of its period; its label says whether that is a day, a month, ... */
export const toCohortName = ({ date, label }: RetentionCohort): string =>
  shortDay(date, /^\w+/.exec(label)?.[0].toLowerCase())

/**
 * Returns the share of all persons who came back, by interval, of the cohorts for which it has ended; undefined if it has
 * for none.
 */
export function meanShares(cohorts: readonly RetentionCohort[]): (number | undefined)[] {
  const longest = Math.max(0, ...cohorts.map(({ values }) => values.length))
  return Array.from({ length: longest }, (_, at) => {
    const old = cohorts.filter(({ values }) => values[at] && !values[at].unfinished)
    const sum = (index: number) =>
      old.reduce((total, { values }) => total + (values[index]?.count ?? 0), 0)
    return sum(0) > 0 ? sum(at) / sum(0) : undefined
  })
}

/**
 * Returns how strongly shares are colored: relative to the largest, so that they differ. The first interval is pale,
 * because all persons of a cohort were active in it.
 */
export function scaleHeat(
  cohorts: readonly RetentionCohort[],
): (share: number, at: number) => number {
  const shares = cohorts.flatMap(({ values: [first, ...later] }) =>
    later.map(({ count }) => (first && first.count > 0 ? count / first.count : 0)),
  )
  const most = Math.max(...shares, Number.EPSILON)
  return (share, at) => (at === 0 ? 0 : share / most)
}
