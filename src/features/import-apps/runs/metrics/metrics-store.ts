import type { Db, Schema } from '#server/db/schema.ts'
import type { Metrics } from '../schema.ts'

type Counts = Omit<Schema['app_metrics'], 'config_id' | 'hour'>
type Bucket = Metrics['last_24_hours'][number]

const HOUR_MS = 3_600_000
const DAY_MS = 24 * HOUR_MS
export const RETENTION_DAYS = 30

const ZERO: Counts = {
  runs_succeeded: 0,
  runs_failed: 0,
  deliveries_succeeded: 0,
  deliveries_failed: 0,
  events: 0,
}

const startOfHour = (time: number): string =>
  new Date(Math.floor(time / HOUR_MS) * HOUR_MS).toISOString()

/** Adds to the counts of an hour, by default the current one. */
export async function addMetrics(
  db: Db,
  configId: number,
  counts: Partial<Counts>,
  at = Date.now(),
): Promise<void> {
  const added = { ...ZERO, ...counts }
  await db
    .insertInto('app_metrics')
    .values({ config_id: configId, hour: startOfHour(at), ...added })
    .onConflict((conflict) =>
      conflict.columns(['config_id', 'hour']).doUpdateSet((eb) => ({
        runs_succeeded: eb('app_metrics.runs_succeeded', '+', added.runs_succeeded),
        runs_failed: eb('app_metrics.runs_failed', '+', added.runs_failed),
        deliveries_succeeded: eb(
          'app_metrics.deliveries_succeeded',
          '+',
          added.deliveries_succeeded,
        ),
        deliveries_failed: eb('app_metrics.deliveries_failed', '+', added.deliveries_failed),
        events: eb('app_metrics.events', '+', added.events),
      })),
    )
    .execute()
}

export async function getMetrics(db: Db, configId: number, at = Date.now()): Promise<Metrics> {
  const today = Math.floor(at / DAY_MS) * DAY_MS
  const firstDay = today - (RETENTION_DAYS - 1) * DAY_MS
  const rows = await db
    .selectFrom('app_metrics')
    .selectAll()
    .where('config_id', '=', configId)
    .where('hour', '>=', new Date(firstDay).toISOString())
    .execute()
  const firstHour = Math.floor(at / HOUR_MS) * HOUR_MS - 23 * HOUR_MS
  return {
    last_24_hours: toBuckets(rows, firstHour, HOUR_MS, 24),
    last_30_days: toBuckets(rows, firstDay, DAY_MS, RETENTION_DAYS),
  }
}

function toBuckets(
  rows: readonly Schema['app_metrics'][],
  first: number,
  step: number,
  count: number,
): Bucket[] {
  const buckets = Array.from({ length: count }, (_, index) => ({
    start: new Date(first + index * step).toISOString(),
    ...ZERO,
  }))
  for (const row of rows) {
    const bucket = buckets[Math.floor((Date.parse(row.hour) - first) / step)]
    if (!bucket) continue
    for (const key of Object.keys(ZERO) as (keyof Counts)[]) bucket[key] += row[key]
  }
  return buckets
}

export async function pruneMetrics(db: Db): Promise<void> {
  const oldest = new Date(Date.now() - (RETENTION_DAYS + 1) * DAY_MS).toISOString()
  await db.deleteFrom('app_metrics').where('hour', '<', oldest).execute()
}
