import { sql } from 'kysely'
import type { Shared } from '#model/query-kinds/common.schema.ts'
import type { EventStore } from '../event-store.ts'
import { ALL } from './dates.ts'
import type { Context } from './plan.ts'

/** As upstream: one event whose clock was never set would stretch every chart to 1970. */
const EARLIEST = '2015-01-01T00:00:00Z'

/** Only for a query about all events is their beginning looked for. */
export async function withFirstEvent(
  store: Pick<EventStore, 'query'>,
  projectId: number,
  { dateRange }: Shared,
  context: Context,
): Promise<Context> {
  if (dateRange?.date_from !== ALL) return context
  const [row] = await store.query(projectId, {
    properties: [],
    // the smallest time first: PostgreSQL finds it in an index
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
