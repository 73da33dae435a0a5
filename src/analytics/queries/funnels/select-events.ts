import { sql } from 'kysely'
import type { EventsNode } from '#model/query-kinds/common.schema.ts'
import { toStoredText } from '#server/analytics/event-row.ts'
import type { EventTable, Sql } from '#server/analytics/event-table.ts'
import { toBreakdownValue } from '../breakdown.ts'
import { isCounted, toCounted } from '../counted.ts'
import { isInRange } from '../dates.ts'
import { and, matchesNode } from '../filters.ts'
import { matchesCommonFilters } from '../plan.ts'
import type { Funnel } from './funnel.ts'
import { isStep, list } from './step-columns.ts'

/**
 * Adds the CTE `found`: which steps each event is, when it was, in milliseconds, and `uuid` if the order of events or
 * the events themselves matter. If the events are read twice, `at` is the time, which need not be converted each time.
 */
export function selectStepEvents(table: EventTable, funnel: Funnel, hasUuids: boolean): Sql {
  const { query, range, context, breakdown, order } = funnel
  const readsTwice = readsEventsTwice(table, funnel, hasUuids)
  const type = query.aggregation_group_type_index
  const value = breakdown && !breakdown.cohorts && toBreakdownValue(table, breakdown)
  // in a strict funnel, other events break the sequence
  const others = order === 'strict'
  const steps = query.series.map((node, index) =>
    matchesNode(table, node, context, `${context.attr}__series__${index}`),
  )
  const columns = [
    sql`${toCounted(table, type)} as person`,
    sql`${table.milliseconds} as ms`,
    ...(hasUuids ? [sql`e.uuid as uuid`] : []),
    ...(readsTwice ? [sql`e.timestamp as at`] : []),
    ...(value ? [sql`${value} as value`] : []),
    ...steps.map((step, index) => sql`${step} as ${isStep(index + 1)}`),
  ]
  const any = others ? [] : [...hasStepName(query.series), sql`(${sql.join(steps, sql` or `)})`]
  const conditions = [
    isInRange(range),
    ...isCounted(table, type),
    matchesCommonFilters(table, query, context),
    ...any,
  ]
  return sql`found as ${sql.raw(readsTwice ? 'not materialized' : 'materialized')} (
    select ${list(columns)} from ${table.rows} e where ${and(conditions)})`
}

/** Tells whether `found` is read twice, once for all persons and once for those who took the second step. */
export const readsEventsTwice = (
  table: EventTable,
  { query, breakdown, order }: Funnel,
  hasUuids: boolean,
): boolean =>
  table.strategy.rereads &&
  order === 'ordered' &&
  !hasUuids &&
  (!breakdown || breakdown.cohorts !== undefined) &&
  !query.properties &&
  !query.filterTestAccounts &&
  query.series.every(({ event, rules, properties }) => event && !rules && !properties)

/** Repeats in one comparison what the conditions of all steps imply, because databases evaluate it first. */
function hasStepName(series: readonly EventsNode[]): Sql[] {
  const names = new Set(series.map(({ event }) => event))
  if ([...names].some((name) => !name)) return []
  const texts = [...names].map((name) => sql`${toStoredText(name as string)}::text`)
  return [sql`e.event in (${sql.join(texts)})`]
}
