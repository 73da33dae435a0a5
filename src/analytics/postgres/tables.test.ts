import { sql } from 'kysely'
import { describe, expect, it, onTestFinished } from 'vitest'
import { openStorage } from '#server/db/open.ts'
import { storageOptions } from '../../../test/support/app/storage.ts'
import { ALL, newEvent } from '../../../test/support/data/events.ts'
import { until } from '../../../test/support/until.ts'
import { lockPersons } from './locks.ts'
import { createPostgresStore } from './store.ts'
import { createEventTables, createPartition, toPartitionMonth } from './tables.ts'

async function start() {
  const { db, close } = await openStorage(await storageOptions('postgres'))
  onTestFinished(close)
  const tables = async () => {
    const { rows } = await sql<{ name: string; events: number }>`
      select tableoid::regclass::text as name, count(*) as events from events group by 1 order by 1`.execute(
      db,
    )
    return Object.fromEntries(rows.map(({ name, events }) => [name, events]))
  }
  return { db, tables }
}

const NOW = Date.parse('2026-11-15T00:00:00.000Z')

describe('event tables', () => {
  it.each([
    ['2026-11-30T23:59:59.999Z', '2026-11'],
    ['2026-12-31T23:59:59.999Z', '2026-12'],
    ['2027-01-01T00:00:00.000Z', undefined],
    ['2023-11-01T00:00:00.000Z', '2023-11'],
    ['2023-10-31T23:59:59.999Z', undefined],
    ['0001-01-01T00:00:00.000Z', undefined],
  ])('put %s into partition %s', (time, month) => {
    expect(toPartitionMonth(Date.parse(time), NOW)).toBe(month)
  })

  it('have a partition for each month, and one for distant times', async () => {
    const { db, tables } = await start()
    const store = createPostgresStore(db)
    const month = new Date().toISOString().slice(0, 7)

    await store.append(1, [
      newEvent({ timestamp: `${month}-01T00:00:00.000Z` }),
      newEvent({ timestamp: '1999-01-01T00:00:00.000Z' }),
    ])

    expect(await tables()).toEqual({ [`events_${month.replace('-', '_')}`]: 1, events_other: 1 })
  })

  it('move earlier events into a new partition', async () => {
    const { db, tables } = await start()
    const store = createPostgresStore(db)
    await store.append(1, [
      newEvent({ timestamp: '2051-06-30T23:59:59.999Z' }),
      newEvent({ timestamp: '2051-07-01T00:00:00.000Z' }),
    ])
    expect(await tables()).toEqual({ events_other: 2 })

    await createPartition(db, '2051-06')

    expect(await tables()).toEqual({ events_2051_06: 1, events_other: 1 })
    expect(await store.list(1, ALL)).toHaveLength(2)
    expect(await store.deletePerson(1, 'ada')).toBe(2)
  })

  it('are created once by several servers', async () => {
    const { db, tables } = await start()

    await Promise.all([1, 2, 3, 4].map(() => createEventTables(db)))
    await Promise.all(['2026-01', '2026-02', '2026-01'].map((month) => createPartition(db, month)))

    expect(await tables()).toEqual({})
  })

  it('are opened by another server without waiting for writers', async () => {
    const { db, tables } = await start()
    await createEventTables(db)

    await db.transaction().execute(async (tx) => {
      await sql`lock table events, facts, persons, person_ids in row exclusive mode`.execute(tx)
      await createEventTables(db)
    })

    expect(await tables()).toEqual({})
  })

  it('get a new partition while a statement changes facts and reads events', async () => {
    const { db, tables } = await start()
    await createEventTables(db)
    await createPartition(db, '2026-01')

    let creating: Promise<void> | undefined
    await db.transaction().execute(async (tx) => {
      await sql`lock table facts in row exclusive mode`.execute(tx)
      creating = createPartition(db, '2026-02')
      await until(async () => {
        const waiting = sql`select 1 from pg_locks join pg_database on pg_database.oid = database
          where datname = current_database() and relation = 'facts'::regclass and not granted`
        return (await waiting.execute(db)).rows.length > 0
      })
      await sql`select count(*) from events`.execute(tx)
    })

    await expect(creating).resolves.toBeUndefined()
    expect(await tables()).toEqual({})
  })

  it.each([
    ['facts', 'events'],
    ['events', 'facts'],
  ])(
    'get a new partition while events are taken in that change %s before %s',
    async (first, then) => {
      const { db, tables } = await start()
      await createEventTables(db)

      let creating: Promise<void> | undefined
      await db.transaction().execute(async (tx) => {
        await lockPersons(tx, new Map([[1, 'shared']]))
        await sql`lock table ${sql.table(first)} in row exclusive mode`.execute(tx)
        creating = createPartition(db, '2026-02')
        await until(async () => {
          const waiting = sql`select 1 from pg_locks join pg_database on pg_database.oid = database
          where datname = current_database() and not granted`
          return (await waiting.execute(db)).rows.length > 0
        })
        await sql`lock table ${sql.table(then)} in row exclusive mode`.execute(tx)
      })

      await expect(creating).resolves.toBeUndefined()
      expect(await tables()).toEqual({})
    },
  )

  it('are not changed if they belong to a newer version', async () => {
    const { db } = await start()
    await createEventTables(db)
    await sql`update event_store set schema_version = 4`.execute(db)

    await expect(createPostgresStore(db).count(1)).rejects.toThrow('newer version')
  })
})
