import { sql } from 'kysely'
import type { WebStatsTableQuery } from '#model/query-kinds/web-stats-table.schema.ts'
import type { Sql } from '#server/analytics/event-table.ts'
import { type ActorSet, type InsightPoint, requirePeriod } from '../actors.ts'
import { resolvePeriods } from '../periods.ts'
import type { Context } from '../plan.ts'
import { requirePages, selectPages } from '../web/pages.ts'
import { selectVisitors } from '../web/visitors.ts'
import { parseVisits } from '../web/visits.ts'
import { fieldsOfBreakdown, toVisitText } from './breakdown.ts'

/** Selects the visitors of a period, or those with a value: `breakdown`, in which an empty text is no value. */
export function selectWebStatsTableQueryActors(
  query: WebStatsTableQuery,
  point: InsightPoint,
  context: Context,
): ActorSet {
  const { breakdownBy } = query
  const periods = resolvePeriods(query, context)
  const range = requirePeriod(periods, point)
  const isChosen = toCondition(point)
  if (breakdownBy !== 'Page') {
    return selectVisitors(parseVisits(query, context), range, {
      fields: fieldsOfBreakdown(breakdownBy),
      isMet: (table) => isChosen(toVisitText(table, breakdownBy)),
    })
  }
  return {
    ...requirePages(query, periods, context),
    toSql: (table) => sql`select visitor as person, sum(hits)::bigint as events
      from (${selectPages(table, query, range, context)}) pages where ${isChosen(sql`value`)} group by visitor`,
  }
}

function toCondition({ breakdown }: InsightPoint): (text: Sql) => Sql {
  if (breakdown === null || breakdown === undefined) return () => sql`true`
  const value = [breakdown].flat().join('::')
  return (text) => (value === '' ? sql`${text} is null` : sql`${text} = ${value}::text`)
}
