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
 * Adds the CTE `found`, the only scan of the events: which steps each event is, when it was, in milliseconds, and
 * `uuid` if the order of events or the events themselves matter.
 */
export function selectStepEvents(
  table: EventTable,
  { query, range, context, breakdown, order }: Funnel,
  hasUuids = order === 'strict',
): Sql {
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
  return sql`found as materialized (
    select ${list(columns)} from ${table.rows} e where ${and(conditions)})`
}

/** Repeats in one comparison what the conditions of all steps imply, because databases evaluate it first. */
function hasStepName(series: readonly EventsNode[]): Sql[] {
  const names = new Set(series.map(({ event }) => event))
  if ([...names].some((name) => !name)) return []
  const texts = [...names].map((name) => sql`${toStoredText(name as string)}::text`)
  return [sql`e.event in (${sql.join(texts)})`]
}
