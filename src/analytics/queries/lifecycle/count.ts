import type { LifecycleSeries } from '#model/query-results.ts'
import type { Row } from '#server/analytics/event-table.ts'
import { toNumber } from '../plan.ts'

type Counts = Readonly<Record<LifecycleSeries['status'], number>>

/** How many people were there, how many of those for the first time ever, and how many in the next interval too. */
interface Visitors {
  readonly active: number
  readonly fresh: number
  readonly staying: number
}

/** Of each interval but the first, which is the one before those that are answered. */
export function countStatuses(rows: readonly Row[], intervals: number): Counts[] {
  const found = new Map(rows.map((row) => [row.bucket, row]))
  const visitors = [...Array(intervals).keys()].map((bucket) => toVisitors(found.get(bucket)))
  return visitors.slice(1).map((now, index) => {
    const before = visitors[index] as Visitors
    return {
      new: now.fresh,
      returning: before.staying,
      resurrecting: now.active - now.fresh - before.staying,
      dormant: before.staying - before.active,
    }
  })
}

const toVisitors = (row: Row | undefined): Visitors => ({
  active: toNumber(row?.active),
  fresh: toNumber(row?.fresh),
  staying: toNumber(row?.staying),
})
