import { sql } from 'kysely'
import { expect, it, onTestFinished } from 'vitest'
import { openStorage } from '#server/db/open.ts'
import type { Tx } from '#server/db/schema.ts'
import { findGroups } from '../../../test/reference/find-groups.ts'
import { storageOptions } from '../../../test/support/app/storage.ts'
import { newEvent } from '../../../test/support/data/events.ts'
import { until } from '../../../test/support/until.ts'
import { toPropertiesText } from '../properties-text.ts'
import { lockPersons } from './locks.ts'
import { createPostgresStore } from './store.ts'

const VISITORS = 12
const EVENTS = 10

/** Each visitor uses one device before and after signing in; the servers share the events at random. */
const toEvents = (visitor: number) => {
  const event = (distinct_id: string, event: string, properties = {}) =>
    newEvent({ distinct_id, event, properties: toPropertiesText(properties) })
  const visits = Array.from({ length: EVENTS }, (_, n) =>
    event(n % 2 === 0 ? `device ${visitor}` : `user ${visitor}`, 'visited', {
      $set: { [`n${n}`]: visitor },
    }),
  )
  const signIn = event(`user ${visitor}`, '$identify', { $anon_distinct_id: `device ${visitor}` })
  return [...visits, signIn]
}

async function startServers() {
  const options = await storageOptions('postgres')
  const open = async () => {
    const { db, close } = await openStorage(options)
    onTestFinished(close)
    return { db, store: createPostgresStore(db) }
  }
  const servers = await Promise.all([open(), open()])
  await servers[0].store.requireReady()
  return servers
}

it('derives the same persons from concurrent servers as from one', async () => {
  const servers = await startServers()
  const [{ db }] = servers
  const events = Array.from({ length: VISITORS }, (_, visitor) => toEvents(visitor)).flat()
  const shuffled = events
    .map((event, index) => ({ event, place: (index * 7919) % 251 }))
    .sort((one, other) => one.place - other.place)
    .map(({ event }) => event)

  // each event is sent to both servers, several at a time
  await Promise.all(
    shuffled.flatMap((event, index) =>
      servers.map((server, turn) =>
        server.store.append(1, [event, shuffled[(index + turn) % shuffled.length] ?? event]),
      ),
    ),
  )

  const { rows } = await sql`
    select (select array_agg(distinct_id order by distinct_id) from person_ids where person = number) as ids, is_identified,
      (select count(*) from facts where person = number) as events,
      (select count(*) from jsonb_object_keys(properties)) as properties
    from persons order by 1`.execute(db)
  expect(rows).toHaveLength(VISITORS)
  expect(rows).toContainEqual({
    ids: ['device 3', 'user 3'],
    is_identified: true,
    events: EVENTS + 1,
    properties: EVENTS,
  })
  expect(new Set(rows.map((row) => (row as { events: number }).events))).toEqual(new Set([11]))
})

it('stores large batches with common events and new persons once', async () => {
  const [one, other] = await startServers()
  const events = Array.from({ length: 5000 }, (_, index) => newEvent({ distinct_id: `${index}` }))

  const appended = await Promise.all([
    one.store.append(1, [...events, ...events.slice(0, 10)]),
    other.store.append(1, events.toReversed()),
  ])

  expect(appended.map(({ count }) => count).sort((a, b) => a - b)).toEqual([0, events.length])
  const { rows } = await sql`
    select count(*) as events, count(distinct person) as persons, (select count(*) from persons) as known
    from facts`.execute(one.db)
  expect(rows).toEqual([{ events: 5000, persons: 5000, known: 5000 }])
})

/** Waits until a transaction of this database waits for a lock. */
const untilWaiting = (tx: Tx, type: 'advisory' | 'transactionid') =>
  until(async () => {
    const { rows } = await sql`
      select 1 from pg_locks where locktype = ${type} and not granted and pid in (
        select pid from pg_locks join pg_database on database = pg_database.oid
        where datname = current_database()
      )`.execute(tx)
    return rows.length > 0
  }, 20)

it('gives an event the person that another server adds to its ID at the same time', async () => {
  const [{ db, store }] = await startServers()

  const adding = await db.transaction().execute(async (tx) => {
    await sql`insert into person_ids values (1, 'ada', 7)`.execute(tx)
    await sql`insert into persons values (1, 7, gen_random_uuid(), now(), false, false, '{}')`.execute(
      tx,
    )
    const pending = store.append(1, [newEvent({ distinct_id: 'ada' })])
    await untilWaiting(tx, 'transactionid')
    return { pending }
  })
  await adding.pending

  const { rows } = await sql`
    select person, (select json_agg(has_profile) from persons) as profiles from facts`.execute(db)
  expect(rows).toEqual([{ person: 7, profiles: [true] }])
})

it('keeps the order of two batches that one server writes at once, even if the first has to wait', async () => {
  const [{ db, store }, other] = await startServers()
  const toBatch = (event: string) =>
    Array.from({ length: 1500 }, (_, index) => newEvent({ event, distinct_id: `user ${index}` }))
  const first = toBatch('first')

  const appending = await db.transaction().execute(async (tx) => {
    await sql`insert into event_keys values (2, ${first[0]?.uuid})`.execute(tx)
    const pending = [store.append(2, first), store.append(2, toBatch('second'))]
    await untilWaiting(tx, 'transactionid')
    await other.store.append(3, toBatch('third')) // meanwhile the second batch would pass the first
    return { pending }
  })
  const appended = await Promise.all(appending.pending)

  expect(appended.map(({ count }) => count)).toEqual([1499, 1500])
  const { rows } = await sql`
    select max(seq) filter (where event = 'first') < min(seq) filter (where event = 'second') as are_sorted,
      count(distinct person) as persons, bool_and(exists(
        select from facts early where early.person = facts.person and early.event = 'first' and early.seq = early.person
      )) filter (where distinct_id <> 'user 0') as belong_to_first
    from facts where project_id = 2`.execute(db)
  expect(rows).toEqual([{ are_sorted: true, persons: 1500, belong_to_first: true }])
})

const visit = ($groups: object) => newEvent({ properties: toPropertiesText({ $groups }) })

it('adds a type of groups alone, and events of known types beside others', async () => {
  const [{ db, store }] = await startServers()
  await store.append(1, [visit({ known: 'x' })])

  const adding = await db.transaction().execute(async (tx) => {
    await lockPersons(tx, new Map([[1, 'shared']]))
    await store.append(1, [visit({ known: 'y' })])
    const pending = store.append(1, [visit({ fresh: 'x' })])
    await untilWaiting(tx, 'advisory')
    return { pending }
  })
  await adding.pending

  expect((await findGroups(store, 1)).types).toEqual(['known', 'fresh'])
})
