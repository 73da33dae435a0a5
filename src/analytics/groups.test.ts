import { sql } from 'kysely'
import { describe, expect, it } from 'vitest'
import { findGroups } from '../../test/reference/find-groups.ts'
import { DATABASES } from '../../test/support/app/storage.ts'
import { newEvent, startEventStore, useEventStore } from '../../test/support/data/events.ts'
import type { EventStore, GroupEdit } from './event-store.ts'
import { toPropertiesText } from './properties-text.ts'

const at = (second: number) => new Date(Date.UTC(2026, 0, 2, 0, 0, second)).toISOString()

const visit = ($groups: object, second = 0) =>
  newEvent({ timestamp: at(second), properties: toPropertiesText({ $groups }) })

const identify = (type: string, key: unknown, $group_set: object = {}, second = 0) =>
  newEvent({
    event: '$groupidentify',
    timestamp: at(second),
    properties: toPropertiesText({ $group_type: type, $group_key: key, $group_set }),
  })

const edit = (more: Partial<GroupEdit>): GroupEdit => ({
  kind: 'update',
  index: 0,
  key: 'acme',
  timestamp: at(40),
  set: {},
  unset: [],
  ...more,
})

/** Reads every group: the index of its type, its key, and two of its properties. */
async function readGroups(store: Pick<EventStore, 'query'>, projectId = 1) {
  const rows = await store.query(projectId, {
    properties: [],
    toSql: (table) => sql`
      select g.type_index, g.key, ${table.groupProfileProperty('plan')} as plan,
        ${table.groupProfileProperty('city')} as city
      from ${table.groups} g order by 1, 2`,
  })
  return rows.map(({ type_index, key, plan, city }) => [type_index, key, plan, city])
}

async function readWarnings(store: Pick<EventStore, 'query'>) {
  const rows = await store.query(1, {
    properties: [],
    toSql: (table) => sql`select w.type, w.other_id from ${table.warnings} w order by 1, 2`,
  })
  return rows.map(({ type, other_id }) => [type, other_id])
}

describe.each(DATABASES)('groups on %s', (database) => {
  it('are created by identify events; the last to arrive wins', async () => {
    const events = await useEventStore(database)
    const late = identify('company', 'acme', { plan: 'pro', city: 'Ulm' }, 9)

    await events.append(1, [late, visit({ company: 'quiet' })])
    await events.append(1, [identify('company', 'acme', { plan: 'free' }, 1)])
    await events.append(1, [late, identify('team', 7)])
    await events.append(2, [identify('team', 'other')])

    expect(await readGroups(events)).toEqual([
      [0, 'acme', 'free', 'Ulm'],
      [1, '7', null, null],
    ])
    expect(await readGroups(events, 2)).toEqual([[0, 'other', null, null]])
  })

  it('have at most five types; a sixth causes a warning', async () => {
    const { events } = await startEventStore(database)
    const types = ['a', 'b', 'c', 'd', 'e', 'f']

    for (const type of types) await events.append(1, [visit({ [type]: 'x' })])
    await events.append(1, [identify('f', 'x'), identify('e', 'x')])

    const found = await findGroups(events, 1)
    expect(found.types).toEqual(['a', 'b', 'c', 'd', 'e'])
    expect(await readGroups(events)).toEqual([[4, 'x', null, null]])
    expect(Object.keys(found.events)).toHaveLength(8)
    const warning = ['group_type_limit_exceeded', 'f']
    expect(await readWarnings(events)).toContainEqual(warning)
    await events.rebuildPersons(() => {})
    expect((await readWarnings(events)).at(0)).toEqual(warning)
    expect((await findGroups(events, 1)).types).toEqual(found.types)
  })

  it('keep their properties and get a warning if new ones are too large', async () => {
    const events = await useEventStore(database)
    const big = { plan: 'x'.repeat(3000) }

    await events.append(1, [identify('company', 'acme', { plan: 'pro' })])
    await events.append(1, [identify('company', 'acme', { city: 'x'.repeat(9000) })])
    for (let n = 0; n < 12; n++) {
      await events.append(1, [identify('company', 'acme', { [`key ${n}`]: big })])
    }

    expect(await readGroups(events)).toEqual([[0, 'acme', 'pro', null]])
    const warning = ['group_properties_size_violation', 'acme']
    expect(await readWarnings(events)).toEqual([warning, warning, warning])
  })

  it('can be created and edited by users', async () => {
    const events = await useEventStore(database)
    await events.append(1, [identify('company', 'acme', { plan: 'free', city: 'Ulm' })])
    const version = await events.version(1)

    const set = { plan: 'pro' }
    expect(await events.editGroup(1, edit({ set, unset: ['city'] }))).toBe(true)
    expect(await events.editGroup(1, edit({ kind: 'create', key: 'new', set }))).toBe(true)
    expect(await events.editGroup(1, edit({ kind: 'create', set: { plan: 'x' } }))).toBe(false)
    expect(await events.editGroup(1, edit({ key: 'nobody', set }))).toBe(false)
    expect(await events.editGroup(1, edit({ kind: 'create', index: 1, set }))).toBe(false)
    expect(await events.editGroup(2, edit({ set }))).toBe(false)

    expect(await readGroups(events)).toEqual([
      [0, 'acme', 'pro', null],
      [0, 'new', 'pro', null],
    ])
    expect(await events.version(1)).not.toBe(version)
  })

  it('are the same after a rebuild, edits included', async () => {
    const { events } = await startEventStore(database)
    await events.append(1, [visit({ team: 'x' }), identify('company', 'acme', { plan: 'free' })])
    await events.editGroup(1, edit({ index: 1, set: { plan: 'pro' } }))
    await events.editGroup(1, edit({ index: 1, kind: 'create', key: 'new', set: { city: 'Ulm' } }))
    await events.append(1, [identify('company', 'acme', { city: 'Bonn' })])
    const before = await findGroups(events, 1)

    await events.rebuildPersons(() => {})

    expect(await findGroups(events, 1)).toEqual(before)
    expect(await readGroups(events)).toEqual([
      [1, 'acme', 'pro', 'Bonn'],
      [1, 'new', null, 'Ulm'],
    ])
  })

  it('keep their types and properties when their events are deleted', async () => {
    const { events } = await startEventStore(database)
    await events.append(1, [visit({ team: 'x' }), identify('company', 'acme', { plan: 'old' })])
    await events.append(1, [identify('company', 'acme', { plan: 'late' }, 50)])
    await events.append(1, [identify('company', 'acme', { city: 'Ulm' }, 1)])
    await events.deleteBefore(1, at(30))
    await events.append(1, [visit({ company: 'acme' }, 51)])
    const before = await findGroups(events, 1)

    await events.rebuildPersons(() => {})

    expect(await findGroups(events, 1)).toEqual(before)
    expect(before.types).toEqual(['team', 'company'])
    expect(await readGroups(events)).toEqual([[1, 'acme', 'late', 'Ulm']])
  })

  it('are deleted with their project', async () => {
    const { events } = await startEventStore(database)
    await events.append(1, [identify('company', 'acme', { plan: 'old' })])
    await events.append(2, [identify('company', 'acme', { plan: 'other' })])
    await events.editGroup(1, edit({ set: { plan: 'edited' } }))
    await events.deleteBefore(1, at(10)) // their state before is kept in tables of its own

    await events.deleteProject(1)
    await events.rebuildPersons(() => {})

    expect(await findGroups(events, 1)).toEqual({ types: [], groups: {}, events: {} })
    expect(await readGroups(events, 2)).toEqual([[0, 'acme', 'other', null]])
  })

  it('keep their columns when properties are materialized', async () => {
    const { events, reopen } = await startEventStore(database)
    await events.append(1, [visit({ company: 'acme' }), identify('company', 'acme')])
    const before = await findGroups(events, 1)

    const reopened = await reopen()

    expect(await findGroups(reopened, 1)).toEqual(before)
  })
})
