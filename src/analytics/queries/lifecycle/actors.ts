import { sql } from 'kysely'
import type { LifecycleQuery } from '#model/query-kinds/lifecycle.schema.ts'
import type { LifecycleSeries } from '#model/query-results.ts'
import type { EventTable, Sql } from '#server/analytics/event-table.ts'
import { required } from '#server/errors.ts'
import {
  type ActorSet,
  findInterval,
  type InsightPoint,
  selectActorEvents,
  toInterval,
} from '../actors.ts'
import { toRequired } from '../columns.ts'
import { toCounted } from '../counted.ts'
import { isInRange } from '../dates.ts'
import type { Context } from '../plan.ts'
import { listColumns, parseLifecycle } from './compile.ts'
import { matchesVisits, selectVisits } from './count-persons.ts'

/** `bucket` and `before` are an interval and the one before it; `first` is a person's first one, -1 if earlier. */
const CONDITIONS: Readonly<Record<LifecycleSeries['status'], Sql>> = {
  new: sql`here > 0 and first = bucket`,
  returning: sql`here > 0 and before > 0`,
  resurrecting: sql`here > 0 and before = 0 and first < bucket`,
  dormant: sql`here = 0 and before > 0`,
}

/** Selects the persons of a status in an interval, with their events in it. */
export function selectLifecycleQueryActors(
  query: LifecycleQuery,
  { day, status, attr }: InsightPoint,
  context: Context,
): ActorSet {
  const lifecycle = parseLifecycle(query, context)
  if (day === null || day === undefined) throw required(`${attr}__day`)
  if (!status) throw required(`${attr}__status`)
  const { window } = lifecycle
  const shown = { ...window, buckets: window.buckets.slice(1) }
  const bucket = findInterval(shown, day, `${attr}__day`) + 1
  const countIn = (index: number) => sql`count(*) filter (where bucket = ${sql.lit(index)})`
  const toSql = (table: EventTable) => sql`select person, here as events from (
      select person, min(bucket) as first, ${sql.lit(bucket)} as bucket,
        ${countIn(bucket)} as here, ${countIn(bucket - 1)} as before
      from ${selectVisits(table, lifecycle, context)} group by person
    ) persons where ${CONDITIONS[status]}`
  return {
    ...toRequired(listColumns(lifecycle, context)),
    toSql,
    toEvents: (table) =>
      selectActorEvents(table, {
        actors: toSql(table),
        counted: toCounted(table, query.aggregation_group_type_index),
        where: [isInRange(toInterval(window, bucket)), ...matchesVisits(table, lifecycle, context)],
      }),
  }
}
