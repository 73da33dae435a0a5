import fc from 'fast-check'
import { sql } from 'kysely'
import { describe, expect, it, onTestFinished } from 'vitest'
import { openStorage } from '#server/db/open.ts'
import type { Db } from '#server/db/schema.ts'
import { expectGroups, findGroups } from '../../../test/reference/find-groups.ts'
import { expectPersons, findPersons } from '../../../test/reference/find-persons.ts'
import { visitorEvent } from '../../../test/reference/visitors.ts'
import { storageOptions } from '../../../test/support/app/storage.ts'
import { newEvent } from '../../../test/support/data/events.ts'
import type { EventStore } from '../event-store.ts'
import { toPropertiesText } from '../properties-text.ts'
import { catchUpPersons, forgetPersons } from './catch-up-persons.ts'
import { createPostgresStore } from './store.ts'

async function start() {
  const options = await storageOptions('postgres')
  const open = async () => {
    const { db, close } = await openStorage(options)
    onTestFinished(close)
    return db
  }
  const db = await open()
  return { db, open, store: createPostgresStore(db) }
}

const event = (distinct_id: string, event: string, properties = {}, day = 1) =>
  newEvent({
    distinct_id,
    event,
    timestamp: new Date(Date.UTC(2026, 0, day)).toISOString(),
    properties: toPropertiesText(properties),
  })

async function appendVisits(store: EventStore) {
  await store.append(1, [event('a', 'visited'), event('x', 'visited', { $set: { plan: 'free' } })])
  await store.append(1, [event('ada', '$identify', { $anon_distinct_id: 'a', $set: { age: 7 } })])
  await store.append(1, [event('quiet', 'visited', { $process_person_profile: false })])
  await store.append(2, [event('a', 'visited', { $set_once: { from: 'search' } })])
  await store.append(1, [event('a', 'visited', {}, 40), event('late', 'visited', {}, 70)])
  await store.append(1, [event('ada', '$create_alias', { alias: 'guest' })])
}

/** Reads everything about persons except their numbers. */
async function readPersons(db: Db) {
  const { rows: persons } = await sql`
    select p.project_id, uuid, p.created_at, has_profile, is_identified, p.properties,
      (select array_agg(distinct_id order by distinct_id) from person_ids where person = number) as ids,
      (select array_agg(f.distinct_id order by seq) from facts f where person = number) as events
    from persons p order by 1, 2`.execute(db)
  const { rows: warnings } = await sql`
    select type, distinct_id, other_id from identity_warnings order by 1, 2, 3`.execute(db)
  return { persons, warnings }
}

/** Turns the tables into those of a version without persons. */
async function makeOld(db: Db) {
  await sql`drop table facts, persons, person_ids, identity_warnings, person_edits`.execute(db)
  await sql`alter table event_store drop column facts_up_to, drop column persons_up_to`.execute(db)
  await sql`update event_store set schema_version = 1`.execute(db)
}

/** Turns the tables into those of a version with persons but without groups. */
async function makeGroupless(db: Db) {
  await sql`drop table group_types, group_profiles, group_profiles_base, group_edits`.execute(db)
  await sql`alter table facts drop column g0, drop column g1, drop column g2, drop column g3, drop column g4`.execute(
    db,
  )
  await sql`alter table event_store drop column has_groups`.execute(db)
}

describe('groups of events from an earlier version', () => {
  it('are derived when the store is opened, even by several servers at once', async () => {
    const { db, open, store } = await start()
    const visits = fc.sample(visitorEvent, { numRuns: 80, seed: 1 })
    for (const event of visits) await store.append(1, [event])
    await makeGroupless(db)

    const others = await Promise.all([open(), open()])
    const stores = others.map((other) => createPostgresStore(other))
    await Promise.all(stores.map((other) => other.requireReady()))

    const [first] = stores as [EventStore, ...EventStore[]]
    expect(await findGroups(first, 1)).toEqual(expectGroups(visits))
    expect(await findPersons(first, 1)).toEqual(expectPersons(visits))
  })
})

describe('persons of events from an earlier version', () => {
  it('are derived when the store is opened, even by several servers at once', async () => {
    const { db, open, store } = await start()
    await appendVisits(store)
    const before = await readPersons(db)
    const version = await store.version(1)
    await makeOld(db)

    const servers = [createPostgresStore(db), createPostgresStore(await open())]
    await Promise.all(servers.map((server) => server.requireReady()))

    expect(before.persons).toHaveLength(5)
    expect(await readPersons(db)).toEqual(before)
    expect(await servers[0]?.version(1)).not.toBe(version)
    await servers[1]?.append(1, [event('x', 'visited')])
    expect((await readPersons(db)).persons).toHaveLength(5)
  })

  it('report their progress to the end once, although persons follow facts', async () => {
    const { db, store } = await start()
    await appendVisits(store)
    await sql`update event_store set facts_up_to = '-infinity'`.execute(db)
    await sql`truncate facts, persons, person_ids`.execute(db)
    const steps: string[] = []

    await catchUpPersons(db, (done, total) => void steps.push(`${done} of ${total}`))

    expect(steps).toEqual(['8 of 8'])
  })

  it('are the same after a rebuild, edits and kept persons included', async () => {
    const { db, store } = await start()
    await appendVisits(store)
    await store.append(1, [event('gone', 'visited', {}, 40)])
    await store.editPerson(1, { kind: 'delete', distinctId: 'gone' })
    await store.deleteBefore(1, '2026-01-15T00:00:00.000Z')
    await store.append(1, [event('ada', '$identify', { $anon_distinct_id: 'late' }, 71)])
    await store.editPerson(1, { kind: 'split', distinctId: 'late' })
    await store.append(1, [event('b', 'visited', {}, 72), event('a', 'visited', {}, 72)])
    await store.editPerson(1, { kind: 'update', distinctId: 'a', set: { by: 'hand' }, unset: [] })
    await store.editPerson(1, { kind: 'delete', distinctId: 'b' })
    const before = await readPersons(db)
    const steps: string[] = []

    await forgetPersons(db)
    await catchUpPersons(db, (done, total) => void steps.push(`${done} of ${total}`))

    const after = await readPersons(db)
    expect(after.persons).toEqual(before.persons)
    expect(steps.at(-1)).toBe('7 of 7')
    expect(before.persons).toContainEqual(expect.objectContaining({ properties: { by: 'hand' } }))
  })

  it('are included in a rebuild if their events arrive while it runs', async () => {
    const { db, store } = await start()
    await appendVisits(store)
    await forgetPersons(db)

    await store.append(1, [
      event('x', '$identify', { $anon_distinct_id: 'new' }),
      event('new', 'left'),
    ])
    await expect(store.editPerson(1, { kind: 'split', distinctId: 'a' })).rejects.toThrow('rebuilt')
    await Promise.all([catchUpPersons(db, () => {}), catchUpPersons(db, () => {})])

    const { persons } = await readPersons(db)
    expect(persons).toContainEqual(
      expect.objectContaining({
        ids: ['new', 'x'],
        events: ['x', 'x', 'new'],
        is_identified: true,
      }),
    )
    expect(persons).toContainEqual(
      expect.objectContaining({
        project_id: 1,
        ids: ['a', 'ada'],
        events: ['a', 'ada', 'a', 'ada'],
      }),
    )
    await store.editPerson(1, { kind: 'split', distinctId: 'a' })
  })
})
