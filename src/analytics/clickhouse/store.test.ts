import { sql } from 'kysely'
import { describe, expect, it, onTestFinished } from 'vitest'
import { openStorage } from '#server/db/open.ts'
import { storageOptions } from '../../../test/support/app/storage.ts'
import { ALL, newEvent, openTestStore, untilShipped } from '../../../test/support/data/events.ts'
import type { EventStore } from '../event-store.ts'
import { openEventStore } from '../open.ts'
import { toPropertiesText } from '../properties-text.ts'
import { createRunaways } from '../runaways.ts'
import { connectToClickHouse } from './connection.ts'
import { materialize } from './materialize.ts'
import { applyMoves, listMoves } from './outbox/apply-moves.ts'
import { expireKeys } from './outbox/expire-keys.ts'
import { lockOutbox } from './outbox/shipping.ts'
import { readWaiting } from './outbox/waiting.ts'
import { readProjectState } from './project-state.ts'
import { runEventQuery } from './run-query.ts'

async function start() {
  const options = await storageOptions('clickhouse')
  const storage = await openStorage(options)
  onTestFinished(storage.close)
  const { db } = storage
  const store = openTestStore(options, db)
  onTestFinished(store.close)
  const clickHouse = connectToClickHouse(
    options.clickHouse as NonNullable<typeof options.clickHouse>,
  )
  onTestFinished(clickHouse.close)
  return { store, db, clickHouse, options }
}

const event = (distinct_id: string, properties = {}, name = 'visited') =>
  newEvent({ distinct_id, event: name, properties: toPropertiesText(properties) })

const identify = (id: string, other: string) => event(id, { $anon_distinct_id: other }, '$identify')

/** Counts the events of each person, by the number of events. */
const countByPerson = async (store: EventStore) => {
  const rows = await store.query(1, {
    properties: [],
    toSql: (table) => sql`
      select count(*)::double precision as count from ${table.rows} e group by e.person order by 1`,
  })
  return rows.map(({ count }) => count)
}

describe('events in ClickHouse', () => {
  it('of merged persons have one person before and after their number is changed', async () => {
    const { store, db, clickHouse } = await start()
    await store.append(1, [event('a'), event('a'), event('b'), event('c')])
    await store.append(1, [identify('ada', 'a')])
    await store.append(1, [event('eve', { alias: 'ada' }, '$merge_dangerously')])
    await store.append(1, [event('a')])
    const readStored = () =>
      clickHouse.read<{ count: number }>(
        'select toInt64(count(distinct person)) as count from events',
      )

    expect(await countByPerson(store)).toEqual([1, 1, 5])
    expect(await readStored()).not.toEqual([{ count: 3 }])
    expect(await readWaiting(db, 1)).toMatchObject({ mergedPersons: 2 })
    expect(await listMoves(db, { isQuiet: false })).toEqual([]) // too few
    await applyMoves(db, clickHouse, await listMoves(db, { isQuiet: true }))
    await untilShipped(db)

    expect(await countByPerson(store)).toEqual([1, 1, 5])
    expect(await readStored()).toEqual([{ count: 3 }])
    expect(await readWaiting(db, 1)).toMatchObject({ mergedPersons: 0, events: 0 })
  })

  it('have a column for a property, also those that were stored before', async () => {
    const { store, db, clickHouse } = await start()
    const read = async () => {
      const state = await readProjectState(db, 1)
      const rows = await runEventQuery({ clickHouse, runaways: createRunaways() }, 1, state, {
        properties: ['plan', '$browser'],
        toSql: (table) =>
          sql`select ${table.property('plan')} as plan, ${table.property('$browser')} as browser from ${table.rows} e order by 1`,
      })
      return { rows, columns: [...state.materialized.keys()] }
    }
    await store.append(1, [event('a', { plan: 'free', $browser: 'Firefox' })])
    const before = await read()

    await materialize(db, clickHouse, ['plan'])
    await store.append(1, [event('a', { plan: { a: [1, 'two'] } })])
    const after = await read()

    expect(before.columns).not.toContain('plan')
    expect(before.rows).toEqual([{ plan: 'free', browser: 'Firefox' }])
    expect(after.columns).toContain('plan')
    expect(after.rows).toEqual([
      { plan: 'free', browser: 'Firefox' },
      { plan: '{"a":[1,"two"]}', browser: null },
    ])
  })

  it('have all their properties beside a number of more than 64 bits, and so have persons', async () => {
    const { store } = await start()
    const properties = { long: 123456789012345680000, low: -9223372036854776000, plan: 'pro' }
    const stored = event('a', { ...properties, $set: properties }, '$set')
    await store.append(1, [stored])

    const rows = await store.query(1, {
      properties: ['long', 'low', 'plan'],
      personProperties: ['long', 'low', 'plan'],
      toSql: (table) => {
        const values = ['long', 'low', 'plan'].flatMap((key) => [
          sql`${table.property(key)} as ${sql.ref(key)}`,
          sql`${table.personProperty(key)} as ${sql.ref(`person_${key}`)}`,
        ])
        return sql`select ${sql.join(values)} from ${table.rows} e`
      },
    })

    const texts = { long: '123456789012345680000', low: '-9223372036854776000', plan: 'pro' }
    const { long: person_long, low: person_low, plan: person_plan } = texts
    expect(rows).toEqual([{ ...texts, person_long, person_low, person_plan }])
    const [listed] = await store.list(1, ALL)
    expect(listed?.properties).toBe(stored.properties)
  })

  it('are waited for if they came in before a query, not if they come in later', async () => {
    const { db, options } = await start()
    const store = openEventStore({ ...options, db })
    onTestFinished(store.close)
    await store.append(1, [event('a')])
    await untilShipped(db)
    const states = await db.transaction().execute(async (tx) => {
      await lockOutbox(tx)
      await store.append(1, [event('b')])
      const first = await readProjectState(db, 1)
      await store.append(1, [event('c')])
      const later = await readProjectState(db, 1, first.waiting)
      return {
        first,
        later,
        all: await readProjectState(db, 1),
        other: await readProjectState(db, 2),
      }
    })

    const { first, later, all, other } = states
    expect(first.waiting).toEqual({ events: expect.any(Number), rows: expect.any(Number) })
    expect(later.waiting).toEqual(first.waiting)
    expect(all.waiting.events).toBeGreaterThan(first.waiting.events)
    expect(all.waiting.rows).toBeGreaterThan(first.waiting.rows)
    expect(other.waiting).toEqual({ events: 0, rows: 0 })
    await untilShipped(db)
    expect((await readProjectState(db, 1, all.waiting)).waiting).toEqual({ events: 0, rows: 0 })
  })

  it('count once for as long as their keys are kept', async () => {
    const { store, db } = await start()
    const [first, second] = [event('a'), event('a')]
    await store.append(1, [first, second])
    await sql`update event_keys set arrived = current_date - 3 where uuid = ${first.uuid}`.execute(
      db,
    )

    await expireKeys(db, 3)
    expect(await store.append(1, [first, second])).toMatchObject({ count: 0 })
    await expireKeys(db, 2)
    expect(await store.append(1, [first, second])).toMatchObject({ count: 1 })

    expect(await store.count(1)).toBe(3)
  })

  it('are refused by a server that would look for them in PostgreSQL', async () => {
    const { store, db, options } = await start()
    await store.append(1, [event('a')])

    const other = openTestStore({ ...options, clickHouse: undefined }, db)
    onTestFinished(other.close)
    await expect(other.count(1)).rejects.toThrow('Set EVENTS_URL')
  })

  it('of another installation are refused, and of PostgreSQL too', async () => {
    const { store, options } = await start()
    await store.append(1, [event('a')])
    const { clickHouse: _, ...others } = await storageOptions('postgres')
    const storage = await openStorage(others)
    onTestFinished(storage.close)
    const plain = openTestStore(others, storage.db)
    onTestFinished(plain.close)
    const foreign = openTestStore({ ...others, clickHouse: options.clickHouse }, storage.db)
    onTestFinished(foreign.close)

    await expect(foreign.append(1, [event('a')])).rejects.toThrow('belong to another database')
    await plain.append(1, [event('a')])
    const late = openTestStore({ ...others, clickHouse: options.clickHouse }, storage.db)
    onTestFinished(late.close)
    await expect(late.append(1, [event('a')])).rejects.toThrow('the events are in PostgreSQL')
  })
})
