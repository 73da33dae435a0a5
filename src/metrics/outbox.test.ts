import { sql } from 'kysely'
import { describe, expect, it } from 'vitest'
import { createOutboxIn, rememberPlace } from '#server/analytics/clickhouse/open-tables.ts'
import { openStorage, type StorageOptions } from '#server/db/open.ts'
import { startApp } from '../../test/support/app/app.ts'
import { storageOptions } from '../../test/support/app/storage.ts'
import { startCapturing } from '../../test/support/data/capture.ts'

/** Matches the samples of a metric. */
const SAMPLE = /^(hedgerow_(?:outbox|clickhouse|store|metrics_failed)\w+(?:{.*})?) (.+)$/gm

const readSamples = (text: string): Record<string, number> =>
  Object.fromEntries([...text.matchAll(SAMPLE)].map(([, name, value]) => [name, Number(value)]))

/** Returns an installation that has used a ClickHouse to which nothing can connect now. */
async function startWithoutClickHouse() {
  const options: StorageOptions = {
    ...(await storageOptions('postgres')),
    clickHouse: {
      ...{ url: 'clickhouse://127.0.0.1:1/analytics', cluster: undefined },
      ...{ keysDays: 0, maxWaitingMb: 2 },
    },
  }
  const { db, close } = await openStorage(options)
  await db.transaction().execute(async (tx) => {
    await createOutboxIn(tx)
    await rememberPlace(tx)
  })
  await close()
  return startCapturing(startApp(undefined, {}, options))
}

describe('metrics of ClickHouse', () => {
  it('tell what waits while it is down, and leave out what only it knows', async () => {
    const api = await startWithoutClickHouse()
    const batch = ['a', 'b'].map((event) => ({ event, distinct_id: 'ada', properties: {} }))
    await api.send('/batch', { api_key: api.token, batch })
    await sql`update outbox_events set created_at = now() - interval '1 hour'`.execute(api.db)
    await sql`insert into person_moves values (7, 1, 8), (9, 1, 8), (10, 1, 8)`.execute(api.db)
    await sql`insert into outbox_changes (project_id, change)
      values (1, '{"kind":"delete"}'), (1, '{"kind":"assign"}')`.execute(api.db)

    const samples = readSamples((await api.get('/metrics')).text)

    expect(samples).toEqual({
      hedgerow_outbox_events: 2,
      hedgerow_outbox_bytes: expect.toSatisfy((bytes: number) => bytes > 100 && bytes < 2000),
      hedgerow_outbox_limit_bytes: 2 * 1024 * 1024,
      hedgerow_outbox_age_seconds: expect.toSatisfy((age: number) => age >= 3600 && age < 3900),
      hedgerow_outbox_merged_persons: 3,
      hedgerow_outbox_deletions: 1,
      'hedgerow_store_size_bytes{store="database"}': expect.any(Number),
      hedgerow_metrics_failed_groups: 2,
    })
  })

  it('have no values without it', async () => {
    const { text } = await (await startApp()).get('/metrics')

    expect(Object.keys(readSamples(text)).sort()).toEqual([
      'hedgerow_metrics_failed_groups',
      'hedgerow_store_size_bytes{store="database"}',
      'hedgerow_store_size_bytes{store="events"}',
    ])
  })
})
