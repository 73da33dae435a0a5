import { sql } from 'kysely'
import type { EventsNode } from '#model/query-kinds/common.schema.ts'
import type { WebGoalsQuery } from '#model/query-kinds/web-goals.schema.ts'
import type { EventTable, RequiredColumns, Sql } from '#server/analytics/event-table.ts'
import { toRequired } from '../columns.ts'
import { isInRange, type TimeRange } from '../dates.ts'
import { matchesNode, nodeColumns } from '../filters.ts'
import type { Context } from '../plan.ts'
import { parseVisits, requireVisits, selectVisits, type Visits } from '../web/visits.ts'

export interface Goals {
  readonly query: WebGoalsQuery
  readonly visits: Visits
  readonly context: Context
}

export const parseGoals = (query: WebGoalsQuery, context: Context): Goals => ({
  query,
  visits: parseVisits(query, context),
  context,
})

/** Lists what goals and visits read. Sessions in the filters of a goal are found among all events. */
export function requireGoals({ query, visits }: Goals): RequiredColumns {
  const ofVisits = requireVisits(visits, [])
  const ofGoals = toRequired((query.goals ?? []).flatMap(nodeColumns))
  const merge = <T>(one: readonly T[] = [], other: readonly T[] = []) => [
    ...new Set([...one, ...other]),
  ]
  return {
    ...ofVisits,
    ...ofGoals,
    properties: merge(ofVisits.properties, ofGoals.properties),
    personProperties: merge(ofVisits.personProperties, ofGoals.personProperties),
    groupKeys: merge(ofVisits.groupKeys, ofGoals.groupKeys),
    groupProperties: merge(ofVisits.groupProperties, ofGoals.groupProperties),
    personUuid: Boolean(ofVisits.personUuid || ofGoals.personUuid),
  }
}

/** Selects the number of each visitor once. */
export const selectVisitorNumbers = (table: EventTable, { visits }: Goals, range: TimeRange): Sql =>
  sql`select distinct s.visitor from (${selectVisits(table, visits, range, [])}) s`

/** Matches the events of a goal in a range, by persons who visited in it: needs the CTE `visitors`. */
export const isOfGoal = (
  table: EventTable,
  node: EventsNode,
  index: number,
  range: TimeRange,
  context: Context,
): Sql =>
  sql`${isInRange(range)} and e.person in (select visitor from visitors)
    and ${matchesNode(table, node, context, `${context.attr}__goals__${index}`)}`
