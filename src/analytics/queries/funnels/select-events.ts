import { sql } from 'kysely'
import type { EventsNode } from '#model/query-kinds/common.schema.ts'
import type { FunnelsQuery } from '#model/query-kinds/funnels.schema.ts'
import { toStoredText } from '#server/analytics/event-row.ts'
import type { EventTable, Sql } from '#server/analytics/event-table.ts'
import { isInRange, type Range } from '../dates.ts'
import { and, matchesNode } from '../filters.ts'
import { type Context, matchesCommonFilters } from '../plan.ts'
import { isStep, list } from './step-columns.ts'

export interface Selection {
  /** Also the events that are no step, and which is first of those at one moment. */
  readonly others: boolean
  /** What the answer is broken down by. */
  readonly value: Sql | undefined
}

/**
 * `found`: the only look at the events. Which steps each is, and when it was, in milliseconds; people become count
 * afterwards, as what is sorted again and again should be small.
 */
export function selectEvents(
  table: EventTable,
  query: FunnelsQuery,
  range: Range,
  context: Context,
  { others, value }: Selection,
): Sql {
  const steps = query.series.map((node, index) =>
    matchesNode(table, node, context, `${context.attr}__series__${index}`),
  )
  const columns = [
    sql`e.distinct_id as distinct_id`,
    sql`${table.milliseconds} as ms`,
    ...(others ? [sql`e.uuid as uuid`] : []),
    ...(value ? [sql`${value} as value`] : []),
    ...steps.map((step, index) => sql`${step} as ${isStep(index + 1)}`),
  ]
  const any = others ? [] : [...hasStepName(query.series), sql`(${sql.join(steps, sql` or `)})`]
  const conditions = [isInRange(range), matchesCommonFilters(table, query, context), ...any]
  return sql`found as materialized (
    select ${list(columns)} from ${table.rows} e where ${and(conditions)})`
}

/** Says in one comparison what the conditions of the steps say together: it is looked at first. */
function hasStepName(series: readonly EventsNode[]): Sql[] {
  const names = new Set(series.map(({ event }) => event))
  if ([...names].some((name) => !name)) return []
  const texts = [...names].map((name) => sql`${toStoredText(name as string)}::text`)
  return [sql`e.event in (${sql.join(texts)})`]
}
