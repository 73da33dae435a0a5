import { sql } from 'kysely'
import { describe, expect, it } from 'vitest'
import { DATABASES } from '../../test/support/app/storage.ts'
import { newEvent, startEventStore, useEventStore } from '../../test/support/data/events.ts'
import type { EventStore } from './event-store.ts'
import type { EventQuery } from './event-table.ts'
import { toPropertiesText } from './properties-text.ts'

const at = (second: number) => new Date(Date.UTC(2026, 0, 2, 0, 0, second)).toISOString()

const event = (distinct_id: string, event: string, properties = {}, second = 0) =>
  newEvent({ distinct_id, event, timestamp: at(second), properties: toPropertiesText(properties) })

const identify = (id: string, anonymousId: string, $set = {}) =>
  event(id, '$identify', { $anon_distinct_id: anonymousId, $set })

/** Reads every person with its IDs, and how many events each person has. */
async function readPersons(store: Pick<EventStore, 'query'>) {
  const read = (toSql: EventQuery['toSql']) => store.query(1, { properties: [], toSql })
  const persons = await read(
    (table) => sql`
      select p.number::double precision as number, ${table.profileProperty('plan')} as plan, p.is_identified
      from ${table.persons} p`,
  )
  const ids = await read(
    (table) => sql`
      select i.person::double precision as person, i.distinct_id as id from ${table.personIds} i order by 2`,
  )
  const counts = await read(
    (table) => sql`
      select e.person::double precision as person, count(*)::double precision as count from ${table.rows} e group by 1`,
  )
  return persons
    .map(({ number, is_identified, plan }) => [
      ids
        .filter(({ person }) => person === number)
        .map(({ id }) => id)
        .join(' '),
      is_identified,
      plan,
      counts.find(({ person }) => person === number)?.count ?? 0,
    ])
    .sort(([one], [other]) => ((one as string) < (other as string) ? -1 : 1))
}

describe.each(DATABASES)('persons on %s', (database) => {
  it('are created for each distinct ID', async () => {
    const events = await useEventStore(database)

    await events.append(1, [event('a', 'visited'), event('b', 'visited'), event('a', 'left')])
    await events.append(2, [event('a', 'visited')])

    expect(await readPersons(events)).toEqual([
      ['a', false, null, 2],
      ['b', false, null, 1],
    ])
  })

  it('are merged by an identify event, with earlier and later events', async () => {
    const events = await useEventStore(database)

    await events.append(1, [event('a', 'visited'), event('other', 'visited')])
    expect(await readPersons(events)).toHaveLength(2)
    await events.append(1, [identify('ada', 'a', { plan: 'pro' }), event('a', 'visited')])
    await events.append(1, [event('ada', 'visited')])

    expect(await readPersons(events)).toEqual([
      ['a ada', true, 'pro', 4],
      ['other', false, null, 1],
    ])
  })

  it('are deleted with their last events, and with IDs that were only merged', async () => {
    const events = await useEventStore(database)
    const host = { host: 'demo' }
    const demo = (id: string, anonymousId: string) =>
      event(id, '$identify', { $anon_distinct_id: anonymousId, ...host })
    await events.append(1, [demo('ada', 'a'), demo('bob', 'b'), demo('eve', 'e')])
    await events.append(1, [event('b', 'visited'), event('c', 'visited', host)])
    await events.append(1, [event('own', 'visited')])

    await events.deleteByProperty(1, { key: 'host', value: 'demo' })

    expect(await readPersons(events)).toEqual([
      ['b', true, null, 1],
      ['own', false, null, 1],
    ])
  })

  it('survive closing the store', async () => {
    const { events, reopen } = await startEventStore(database)
    await events.append(1, [event('a', 'visited'), identify('ada', 'a')])

    const reopened = await reopen()
    await reopened.append(1, [identify('ada', 'phone')])

    expect(await readPersons(reopened)).toEqual([['a ada phone', true, null, 3]])
  })
  it('can be split into one person per ID', async () => {
    const events = await useEventStore(database)
    await events.append(1, [event('a', 'visited'), identify('ada', 'a', { plan: 'pro' })])

    expect(await events.editPerson(1, { kind: 'split', distinctId: 'ada' })).toBe(true)

    expect(await readPersons(events)).toEqual([
      ['a', false, null, 1],
      ['ada', true, 'pro', 1],
    ])
    expect(await readUuids(events)).toHaveProperty('size', 2)
  })

  it('can be edited by users', async () => {
    const events = await useEventStore(database)
    await events.append(1, [event('a', 'visited', { $set: { plan: 'free', city: 'Ulm' } })])
    const version = await events.version(1)

    const edit = { kind: 'update', distinctId: 'a', set: { plan: 'pro' }, unset: ['city'] } as const
    expect(await events.editPerson(1, edit)).toBe(true)
    expect(await events.editPerson(1, { ...edit, distinctId: 'nobody' })).toBe(false)
    expect(await events.editPerson(2, edit)).toBe(false)

    expect(await readPersons(events)).toEqual([['a', false, 'pro', 1]])
    expect(await events.version(1)).not.toBe(version)
  })

  it('keep their events when the profile is deleted, and get a new profile later', async () => {
    const events = await useEventStore(database)
    await events.append(1, [event('a', 'visited'), identify('ada', 'a', { plan: 'pro' })])

    await events.editPerson(1, { kind: 'delete', distinctId: 'a' })

    expect(await readPersons(events)).toEqual([])
    expect(await events.count(1)).toBe(2)
    await events.append(1, [event('ada', 'visited')])
    expect(await readPersons(events)).toEqual([['ada', false, null, 2]])
  })

  it('are deleted with the events of all their IDs', async () => {
    const events = await useEventStore(database)
    await events.append(1, [event('a', 'visited'), identify('ada', 'a'), event('b', 'visited')])

    expect(await events.deletePerson(1, 'a')).toBe(2)

    expect(await readPersons(events)).toEqual([['b', false, null, 1]])
    expect(await events.count(1)).toBe(1)
  })

  it('remain when their old events are deleted', async () => {
    const events = await useEventStore(database)
    await events.append(1, [event('a', 'visited', {}, 1), identify('ada', 'a', { plan: 'pro' })])
    await events.append(1, [event('a', 'visited', {}, 50)])

    await events.deleteBefore(1, at(30))

    expect(await readPersons(events)).toEqual([['a ada', true, 'pro', 1]])
  })
})

describe.each(DATABASES)('persons derived again on %s', (database) => {
  const merged = () => [
    event('a', 'visited'),
    event('b', 'visited', { $set: { plan: 'free' } }),
    identify('ada', 'a', { plan: 'pro' }),
    identify('ben', 'b'),
    event('c', 'visited', { $process_person_profile: false }),
  ]

  it('are the same, edits included', async () => {
    const { events } = await startEventStore(database)
    await events.append(1, merged())
    await events.editPerson(1, { kind: 'split', distinctId: 'ben' })
    await events.editPerson(1, { kind: 'update', distinctId: 'a', set: { plan: 'x' }, unset: [] })
    await events.append(1, [identify('ben', 'laptop'), event('b', 'visited')])
    const before = await readPersons(events)
    const version = await events.version(1)
    const steps: number[][] = []

    await events.rebuildPersons((done, total) => void steps.push([done, total]))

    expect(before).toHaveLength(3)
    expect(await readPersons(events)).toEqual(before)
    expect(await events.version(1)).not.toBe(version)
    expect(steps.at(-1)).toEqual([7, 7])
  })

  it('keep the properties that deleted events set', async () => {
    const { events } = await startEventStore(database)
    await events.append(1, merged())
    await events.append(1, [event('a', 'visited', { $set: { plan: 'late' } }, 50)])
    await events.deleteBefore(1, at(30))
    await events.append(1, [event('a', 'visited', {}, 51)])
    const before = await readPersons(events)

    await events.rebuildPersons(() => {})

    expect(before).toHaveLength(2)
    expect(await readPersons(events)).toEqual(before)
  })
})

const readUuids = async (store: Pick<EventStore, 'query'>) =>
  new Set(
    (
      await store.query(1, {
        properties: [],
        toSql: (table) => sql`select p.uuid::text as uuid from ${table.persons} p`,
      })
    ).map(({ uuid }) => uuid),
  )
