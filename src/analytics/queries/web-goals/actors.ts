import { sql } from 'kysely'
import type { WebGoalsQuery } from '#model/query-kinds/web-goals.schema.ts'
import { invalid } from '#server/errors.ts'
import { type ActorSet, type InsightPoint, requirePeriod } from '../actors.ts'
import { resolvePeriods } from '../periods.ts'
import type { Context } from '../plan.ts'
import { isOfGoal, parseGoals, requireGoals, selectVisitorNumbers } from './goals.ts'

/** Selects the visitors who did a goal that the query names: `series` is its index. */
export function selectWebGoalsQueryActors(
  query: WebGoalsQuery,
  point: InsightPoint,
  context: Context,
): ActorSet {
  const index = point.series ?? 0
  const node = query.goals?.[index]
  if (!node) throw invalid(`${point.attr}__series`, 'The query names no such goal.')
  const range = requirePeriod(resolvePeriods(query, context), point)
  const goals = parseGoals(query, context)
  return {
    ...requireGoals(goals),
    toEvents: (table) => sql`with visitors as (${selectVisitorNumbers(table, goals, range)})
      select e.uuid, ${table.milliseconds} as ms from ${table.rows} e
      where ${isOfGoal(table, node, index, range, context)}`,
    toSql: (table) => sql`with visitors as (${selectVisitorNumbers(table, goals, range)})
      select e.person as person, count(*) as events from ${table.rows} e
      where ${isOfGoal(table, node, index, range, context)} group by e.person`,
  }
}
