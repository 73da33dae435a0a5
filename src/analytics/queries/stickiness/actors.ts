import { sql } from 'kysely'
import type { StickinessQuery } from '#model/query-kinds/stickiness.schema.ts'
import type { EventTable } from '#server/analytics/event-table.ts'
import { invalid, required } from '#server/errors.ts'
import { type ActorSet, type InsightPoint, requirePeriod, selectActorEvents } from '../actors.ts'
import { toRequired } from '../columns.ts'
import { toCounted } from '../counted.ts'
import { resolvePeriods, spanOf } from '../periods.ts'
import type { Context } from '../plan.ts'
import { isCumulative, listColumns } from './compile.ts'
import { matchesVisits, selectActivePersons, toAlike } from './count-persons.ts'

/** Selects the persons who were active in a number of intervals. */
export function selectStickinessQueryActors(
  query: StickinessQuery,
  point: InsightPoint,
  context: Context,
): ActorSet {
  const series = point.series ?? 0
  if (series >= query.series.length) {
    throw invalid(`${point.attr}__series`, 'The query has no such series.')
  }
  const periods = resolvePeriods(query, context)
  const range = requirePeriod(periods, point)
  const times = requireTimes(point, range.buckets.length)
  const stickiness = { query, range, context }
  const sign = sql.raw(isCumulative(query) ? '>=' : '=')
  const toSql = (table: EventTable) => sql`select person, events
    from (${selectActivePersons(table, stickiness, series)}) active
    where times ${sign} ${sql.lit(times)}`
  const alike = toAlike(query, series)
  return {
    ...toRequired(listColumns(query, context), spanOf(periods)),
    toSql,
    toEvents: (table) =>
      selectActorEvents(table, {
        actors: toSql(table),
        counted: toCounted(table, alike.type),
        where: matchesVisits(table, stickiness, alike),
      }),
  }
}

function requireTimes({ day, attr }: InsightPoint, max: number): number {
  const at = `${attr}__day`
  if (day === null || day === undefined) throw required(at)
  const times = Number(day)
  if (Number.isInteger(times) && times >= 1 && times <= max) return times
  throw invalid(at, `Enter a number of intervals from 1 to ${max}.`)
}
