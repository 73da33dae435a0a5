import { sql } from 'kysely'
import type { EventStore } from '#server/analytics/event-store.ts'
import type { WarningSummary } from './schema.ts'

const MAX_WARNINGS = 50
const SPAN_MS = 30 * 86_400_000

const startOfSpan = (): string => new Date(Date.now() - SPAN_MS).toISOString()

/** Deletes the warnings that are no longer listed. */
export const pruneWarnings = (store: EventStore): Promise<void> =>
  store.deleteWarningsBefore(startOfSpan())

/** Lists ingestion warnings of the last 30 days by type, most recent first. */
export async function listWarnings(
  store: EventStore,
  projectId: number,
): Promise<WarningSummary[]> {
  const since = startOfSpan()
  const rows = await store.query(projectId, {
    properties: [],
    toSql: (table) => sql`
      select type, distinct_id, other_id, time, total from (
        select w.type, w.distinct_id, w.other_id,
          (extract(epoch from w.created_at) * 1000)::double precision as time,
          (count(*) over (partition by w.type))::double precision as total,
          row_number() over (partition by w.type order by w.created_at desc, w.distinct_id) as position
        from ${table.warnings} w where w.created_at >= ${since}::timestamptz
      ) found where position <= ${sql.lit(MAX_WARNINGS)} order by time desc, distinct_id`,
  })
  const byType = Map.groupBy(rows, ({ type }) => type as string)
  return [...byType].map(([type, found]) => {
    const warnings = found.map(({ time, distinct_id, other_id }) => ({
      type,
      timestamp: new Date(Math.round(time as number)).toISOString(),
      details: { distinctId: distinct_id as string, otherDistinctId: other_id as string | null },
    }))
    const lastSeen = warnings[0]?.timestamp as string
    return { type, lastSeen, count: Number(found[0]?.total), warnings }
  })
}
