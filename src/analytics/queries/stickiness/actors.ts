import { sql } from 'kysely'
import type { StickinessQuery } from '#model/query-kinds/stickiness.schema.ts'
import { invalid, required } from '#server/errors.ts'
import { type ActorSet, type InsightPoint, requirePeriod } from '../actors.ts'
import { toAsked } from '../columns.ts'
import { resolvePeriods } from '../periods.ts'
import type { Context } from '../plan.ts'
import { isCumulative, listColumns } from './compile.ts'
import { selectActivePeople } from './count-people.ts'

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
  const range = requirePeriod(resolvePeriods(query, context), point)
  const times = requireTimes(point, range.buckets.length)
  const sign = sql.raw(isCumulative(query) ? '>=' : '=')
  return {
    ...toAsked(listColumns(query, context)),
    toSql: (table) => sql`select person, events
      from (${selectActivePeople(table, query, range, series, context)}) active
      where times ${sign} ${sql.lit(times)}`,
  }
}

function requireTimes({ day, attr }: InsightPoint, max: number): number {
  const at = `${attr}__day`
  if (day === null || day === undefined) throw required(at)
  const times = Number(day)
  if (Number.isInteger(times) && times >= 1 && times <= max) return times
  throw invalid(at, `Enter a number of intervals from 1 to ${max}.`)
}
