import { sql } from 'kysely'
import { expect, it, onTestFinished } from 'vitest'
import type { TrendsQuery } from '#model/query-kinds/trends.schema.ts'
import { openStorage } from '#server/db/open.ts'
import { newEvent } from '../../../test/events.ts'
import { contextOf } from '../../../test/queries.ts'
import { storageOptions } from '../../../test/storage.ts'
import { compileTrendsQuery } from '../queries/trends/compile.ts'
import { toEventTable } from './event-table.ts'
import { createPostgresStore } from './store.ts'

/** Makes PostgreSQL share even small tables among processes. */
const SHARE_SMALL_TABLES = [
  'min_parallel_table_scan_size',
  'min_parallel_index_scan_size',
  'parallel_setup_cost',
  'parallel_tuple_cost',
]

/** Returns a function that explains a trend over three weeks of 5,000 events. */
async function start() {
  const { db, close } = await openStorage(await storageOptions('postgres'))
  onTestFinished(close)
  const store = createPostgresStore(db)
  onTestFinished(() => store.close())
  const at = (index: number) => new Date(Date.UTC(2026, 2, 1) + index * 360_000).toISOString()
  const events = [...Array(5000).keys()].map((index) => newEvent({ timestamp: at(index) }))
  await store.append(1, events)
  await sql`analyze`.execute(db)
  return async (series: TrendsQuery['series']) => {
    const dateRange = { date_from: '2026-03-01', date_to: '2026-03-21' }
    const query = { kind: 'TrendsQuery', series, dateRange } as const
    const plan = compileTrendsQuery(query, contextOf())
    const statement = plan.statements[0]?.(toEventTable(1, 'C', new Map(), plan))
    return db.transaction().execute(async (tx) => {
      for (const name of SHARE_SMALL_TABLES) {
        await sql`select set_config(${name}, '0', true)`.execute(tx)
      }
      const { rows } = await sql<{ 'QUERY PLAN': string }>`explain ${statement}`.execute(tx)
      return rows.map((row) => row['QUERY PLAN']).join('\n')
    })
  }
}

it('shares the events of a trend among processes, each of which counts its own', async () => {
  const explain = await start()

  expect(await explain([{ event: null }])).toMatch(/Gather[\s\S]*Partial \w*Aggregate/)
})

it('reads the people of a named event from an index, one interval at a time', async () => {
  const explain = await start()

  const plan = await explain([{ event: 'visited', math: 'dau' }])

  expect(plan).toMatch(/Nested Loop[\s\S]*Values Scan[\s\S]*event_timestamp/)
})
