import { sql } from 'kysely'
import { expect, it, onTestFinished } from 'vitest'
import type { TrendsQuery } from '#model/query-kinds/trends.schema.ts'
import { openStorage } from '#server/db/open.ts'
import { storageOptions } from '../../../test/support/app/storage.ts'
import { newEvent } from '../../../test/support/data/events.ts'
import { contextOf } from '../../../test/support/data/queries.ts'
import { compileFunnelsQuery } from '../queries/funnels/compile.ts'
import { compileLifecycleQuery } from '../queries/lifecycle/compile.ts'
import { compilePathsQuery } from '../queries/paths/compile.ts'
import type { Plan } from '../queries/plan.ts'
import { compileRetentionQuery } from '../queries/retention/compile.ts'
import { compileSql } from '../queries/sql/compile.ts'
import { compileStickinessQuery } from '../queries/stickiness/compile.ts'
import { compileTrendsQuery } from '../queries/trends/compile.ts'
import { toEventTable } from './event-table.ts'
import { createPostgresStore } from './store.ts'

/** Makes PostgreSQL share even small tables among processes, but start these only once. */
const SHARE_SMALL_TABLES = {
  min_parallel_table_scan_size: '0',
  min_parallel_index_scan_size: '0',
  parallel_setup_cost: '5',
}

/** Returns a function that explains a query over three weeks of 5,000 events of as many persons. */
async function start() {
  const { db, close } = await openStorage(await storageOptions('postgres'))
  onTestFinished(close)
  const store = createPostgresStore(db)
  onTestFinished(() => store.close())
  const at = (index: number) => new Date(Date.UTC(2026, 2, 1) + index * 360_000).toISOString()
  const events = [...Array(5000).keys()].map((index) =>
    newEvent({ timestamp: at(index), distinct_id: `user ${index}` }),
  )
  await store.append(1, events)
  await sql`analyze`.execute(db)
  return async (plan: Plan) => {
    const statement = plan.statements[0]?.(toEventTable(1, 'C', new Map(), plan))
    return db.transaction().execute(async (tx) => {
      for (const [name, value] of Object.entries(SHARE_SMALL_TABLES)) {
        await sql`select set_config(${name}, ${value}, true)`.execute(tx)
      }
      const { rows } = await sql<{ 'QUERY PLAN': string }>`explain ${statement}`.execute(tx)
      return rows.map((row) => row['QUERY PLAN']).join('\n')
    })
  }
}

const dateRange = { date_from: '2026-03-01', date_to: '2026-03-21' }
const visited = { event: 'visited' }
const retentionFilter = {
  totalIntervals: 21,
  targetEntity: { id: 'visited' },
  returningEntity: { id: 'visited' },
}

const trend = (series: TrendsQuery['series'], more: Partial<TrendsQuery> = {}): Plan =>
  compileTrendsQuery({ kind: 'TrendsQuery', series, dateRange, ...more }, contextOf())

it('shares the events of a filtered trend among processes, each of which counts its own', async () => {
  const explain = await start()
  const properties = [
    { key: 'event', type: 'event_metadata', value: 'visit', operator: 'icontains' },
  ]

  const plan = await explain(trend([{ event: null, properties } as never]))

  expect(plan).toMatch(/Gather[\s\S]*Partial \w*Aggregate/)
})

it.each([
  ['events', trend([{ event: null }])],
  ['persons', trend([{ ...visited, math: 'dau' }])],
])('shares the intervals of a trend of %s among processes', async (_, query) => {
  const explain = await start()

  const plan = await explain(query)

  expect(plan).toMatch(/Gather[\s\S]*Parallel Append/)
  expect(plan).toMatch(/timestamp" < '2026-03-05 00:00:00\+00'/)
})

it('reads the persons of a filtered event from an index, one interval at a time', async () => {
  const explain = await start()
  const properties = [{ key: 'distinct_id', type: 'event_metadata', value: 'a', operator: 'exact' }]

  const plan = await explain(trend([{ ...visited, math: 'dau', properties } as never]))

  expect(plan).toMatch(/Nested Loop[\s\S]*Values Scan[\s\S]*event_timestamp/)
})

it.each([
  [
    'retention',
    compileRetentionQuery({ kind: 'RetentionQuery', retentionFilter, dateRange }, contextOf()),
  ],
  [
    'lifecycle',
    compileLifecycleQuery({ kind: 'LifecycleQuery', series: [visited], dateRange }, contextOf()),
  ],
  [
    'stickiness',
    compileStickinessQuery({ kind: 'StickinessQuery', series: [visited], dateRange }, contextOf()),
  ],
])('groups two halves of the persons of a %s in separate processes', async (_, query) => {
  const explain = await start()

  const plan = await explain(query)

  expect(plan).toMatch(/Gather[\s\S]*Parallel Append/)
  expect(plan.match(/hashint8\(person\) < 0\) IS TRUE/g)?.length).toBeGreaterThan(0)
  expect(plan.match(/hashint8\(person\) < 0\) IS NOT TRUE/g)?.length).toBeGreaterThan(0)
})

it('groups two halves of the values of a distinct count in separate processes', async () => {
  const explain = await start()
  const query = await compileSql(
    'select event, count(), uniq(distinct_id) from events group by 1',
    {
      zone: 'UTC',
    },
  )

  const plan = await explain(query)

  expect(plan).toMatch(/Gather[\s\S]*Parallel Append/)
  expect(plan).toMatch(/hashtext\(distinct_id\) < 0\) IS NOT TRUE/)
})

it('reads the events of a funnel twice instead of keeping all of them', async () => {
  const explain = await start()
  const series = [visited, { event: 'bought' }]
  const query = compileFunnelsQuery({ kind: 'FunnelsQuery', series, dateRange }, contextOf())

  expect(await explain(query)).not.toContain('CTE found')
})

it('sorts the steps of paths, as several processes can, instead of reading an index in order', async () => {
  const explain = await start()
  const pathsFilter = { includeEventTypes: ['custom_event'] }

  const plan = await explain(
    compilePathsQuery({ kind: 'PathsQuery', pathsFilter, dateRange } as never, contextOf()),
  )

  expect(plan).toMatch(/WindowAgg[\s\S]*Sort[\s\S]*Seq Scan on facts/)
  expect(plan).not.toContain('person_idx')
})
