import { sql } from 'kysely'
import type { CommonFields } from '#model/query-kinds/common.schema.ts'
import type { HogQLQuery } from '#model/query-kinds/sql.schema.ts'
import { ALL } from './dates.ts'
import type { Context, PlanRun } from './plan.ts'

/** Matches upstream: one event whose clock was never set would stretch every chart to 1970. */
const EARLIEST = '2015-01-01T00:00:00Z'

/** Adds the time of the project's first event to the context of a query about all time. */
export async function withFirstEvent(
  { store, projectId }: PlanRun,
  query: CommonFields & Pick<HogQLQuery, 'filters'>,
  context: Context,
): Promise<Context> {
  const dates = [query.dateRange, query.filters?.dateRange]
  if (!dates.some((range) => range?.date_from === ALL)) return context
  const [row] = await store.query(projectId, {
    properties: [],
    // a separate minimum, which PostgreSQL finds in an index
    toSql: (table) => sql`
      select ${table.milliseconds} as first from (
        select min(e.timestamp) as timestamp from ${table.rows} e
        where e.timestamp >= ${EARLIEST}::timestamptz
      ) e`,
  })
  const first = row?.first as number | null | undefined
  if (first == null) return context
  return { ...context, firstEvent: Temporal.Instant.fromEpochMilliseconds(first) }
}
