import type { EventTable, Sql } from '#server/analytics/event-table.ts'
import { toAttemptsInLists } from './attempts-in-lists.ts'
import { toOrderedAttempts } from './attempts-ordered.ts'
import { toStrictAttempts } from './attempts-strict.ts'
import { toUnorderedAttempts } from './attempts-unordered.ts'
import { breakDownAttempts } from './break-down.ts'
import type { Funnel } from './funnel.ts'
import { readsEventsTwice, selectStepEvents } from './select-events.ts'

/** Adds CTEs that end in `placed`: the furthest attempt of each person who began, with its value and the value's place. */
export const placeAttempts = (
  table: EventTable,
  funnel: Funnel,
  hasUuids = funnel.order === 'strict',
): Sql[] => [
  selectStepEvents(table, funnel, hasUuids),
  ...findAttempts(table, funnel, hasUuids),
  ...breakDownAttempts(table, funnel),
]

/** Adds CTEs that end in `attempts`: the furthest attempt of each person who began. */
function findAttempts(table: EventTable, funnel: Funnel, hasUuids: boolean): Sql[] {
  const { query, order, windowMs } = funnel
  const { series } = query
  switch (order) {
    case 'strict':
      return toStrictAttempts(series.length, windowMs)
    case 'unordered':
      return toUnorderedAttempts(series, windowMs)
    default:
      if (table.strategy.findsStepsInLists) return toAttemptsInLists(series, windowMs)
      return toOrderedAttempts(
        series,
        windowMs,
        readsEventsTwice(table, funnel, hasUuids) ? table.toMilliseconds : undefined,
      )
  }
}
