import { sql } from 'kysely'
import { expect, it, onTestFinished } from 'vitest'
import { openStorage } from '#server/db/open.ts'
import { storageOptions } from '../../../test/support/app/storage.ts'
import { newEvent } from '../../../test/support/data/events.ts'
import { DEFAULT_KEYS } from '../materialized-properties.ts'
import { toPropertiesText } from '../properties-text.ts'
import { materialize } from './materialized-columns.ts'
import { propertyText } from './property-text.ts'
import { createPostgresStore } from './store.ts'

const VALUES = [
  'pro',
  '{"a":1}',
  7,
  1e-9,
  1e22,
  true,
  null,
  [1, { b: 2, a: 1 }],
  { b: '\u001f' },
  '',
]

async function start() {
  const options = await storageOptions('postgres')
  const { db, close } = await openStorage(options)
  onTestFinished(close)
  const store = createPostgresStore(db)
  onTestFinished(() => store.close())
  const append = (...values: readonly unknown[]) =>
    store.append(
      1,
      values.map((plan, day) =>
        newEvent({
          timestamp: new Date(Date.UTC(2026, day % 3, 1)).toISOString(),
          properties: toPropertiesText(plan === undefined ? {} : { plan, $browser: plan }),
        }),
      ),
    )
  const read = async () => {
    const rows = await store.query(1, {
      properties: ['plan'],
      toSql: (table) => sql`select ${table.property('plan')} as plan from ${table.rows} e`,
    })
    return rows.map(({ plan }) => String(plan)).sort()
  }
  return { db, store, append, read }
}

it('fills a column with the texts of earlier and later events', async () => {
  const { db, append, read } = await start()
  await append(...VALUES, undefined)
  const before = await read()

  await materialize(db, ['plan', "it's"])
  await append(...VALUES, undefined)

  expect(await read()).toEqual([...before, ...before].sort())
  const column = sql.raw(`facts.p${DEFAULT_KEYS.length}`)
  const { rows } = await sql`
    select ${column}, ${propertyText('events.properties', 'plan')} as plan
    from facts join events using (project_id, uuid)
    where ${column} is distinct from ${propertyText('events.properties', 'plan')}
      or facts.p0 is distinct from ${propertyText('events.properties', '$browser')}`.execute(db)
  expect(rows).toEqual([])
  const { rows: materialized } = await sql`
    select key, is_filled from hot_properties where position >= ${DEFAULT_KEYS.length} order by position`.execute(
    db,
  )
  expect(materialized).toEqual([
    { key: 'plan', is_filled: true },
    { key: "it's", is_filled: true },
  ])
})

it('lets several servers add and fill columns at once, and finish interrupted ones', async () => {
  const { db, append, read } = await start()
  await append(...VALUES)
  const before = await read()
  await expect(materialize(db, ['plan'], AbortSignal.abort())).rejects.toThrow()

  const both = [
    ['plan', 'a'],
    ['plan', 'b'],
    ['b', 'a'],
  ]
  await Promise.all([...both.map((keys) => materialize(db, keys)), append('late')])

  expect(await read()).toEqual([...before, 'late'].sort())
  const { rows } = await sql`select key from hot_properties where is_filled`.execute(db)
  expect(rows).toHaveLength(DEFAULT_KEYS.length + 3)
})
