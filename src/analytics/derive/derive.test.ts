import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { expectGroups, findGroups } from '../../../test/reference/find-groups.ts'
import { expectPersons, findPersons } from '../../../test/reference/find-persons.ts'
import { visitorEvent } from '../../../test/reference/visitors.ts'
import { DATABASES, type Database } from '../../../test/support/app/storage.ts'
import { newEvent, startEventStore } from '../../../test/support/data/events.ts'
import { createMemoryStore } from '../../../test/support/data/memory-store.ts'
import { toPropertiesText } from '../properties-text.ts'

type Engine = 'memory' | Database
const ENGINES: readonly Engine[] = ['memory', ...DATABASES]

async function start(engine: Engine) {
  if (engine === 'memory') return createMemoryStore()
  const { events } = await startEventStore(engine)
  return {
    ...events,
    rebuildPersons: () => events.rebuildPersons(() => {}),
    findPersons: (projectId: number) => findPersons(events, projectId),
    findGroups: (projectId: number) => findGroups(events, projectId),
  }
}

type Store = Awaited<ReturnType<typeof start>>

const visits = (seed: number) => fc.sample(visitorEvent, { numRuns: 60, seed })

const day = (number: number) => new Date(Date.UTC(2026, 0, number)).toISOString()

const event = (distinct_id: string, properties = {}, number = 1, event = 'visited') =>
  newEvent({ distinct_id, event, timestamp: day(number), properties: toPropertiesText(properties) })

const identify = (id: string, other: string) =>
  event(id, { $anon_distinct_id: other, $set: { plan: 'pro' } }, 1, '$identify')

/** Reads everything that is derived from the events of a project. */
const read = async (store: Store, projectId = 1) => ({
  ...(await store.findPersons(projectId)),
  groups: (await store.findGroups(projectId)).groups,
})

/** Expects the persons, by the IDs and the plan of each; undefined for persons without a profile. */
async function expectPlans(
  store: Store,
  plans: Readonly<Record<string, string | null | undefined>>,
) {
  const { persons } = await store.findPersons(1)
  const found = persons.map(([ids, profile]) => [
    JSON.parse(ids).join(' '),
    profile?.properties.plan,
  ])
  expect(Object.fromEntries(found)).toEqual(plans)
}

describe.each(ENGINES)('derived tables of %s', (engine) => {
  it('are those of the reference', async () => {
    const store = await start(engine)

    await store.append(1, visits(1))

    expect(await store.findPersons(1)).toEqual(expectPersons(visits(1)))
    expect((await store.findGroups(1)).groups).toEqual(expectGroups(visits(1)).groups)
  })

  it('are the same after a rebuild, with edits between the events', async () => {
    const store = await start(engine)
    await store.append(1, visits(1))
    await store.append(2, visits(2))
    const edit = {
      kind: 'update',
      distinctId: 'ada',
      set: { city: 'Ulm' },
      unset: ['plan'],
    } as const
    expect(await store.editPerson(1, edit)).toBe(true)
    await store.editPerson(2, { kind: 'split', distinctId: 'ada' })
    await store.append(1, visits(3))
    await store.editPerson(1, { kind: 'delete', distinctId: 'bob' })
    const [group] = Object.keys((await store.findGroups(1)).groups)
    const [index, key] = [Number(group?.[0]), group?.slice(2) ?? '']
    const change = { index, key, timestamp: day(40), set: { plan: 'by hand' }, unset: [] }
    expect(await store.editGroup(1, { kind: 'update', ...change })).toBe(true)
    expect(await store.editGroup(1, { kind: 'create', ...change })).toBe(false)
    await store.append(1, visits(4))
    const before = [await read(store), await read(store, 2)]

    await store.rebuildPersons()

    expect([await read(store), await read(store, 2)]).toEqual(before)
  })

  it('repeat the edit of an ID that is too long to be stored in whole', async () => {
    const store = await start(engine)
    const long = 'x'.repeat(300)
    await store.append(1, [event(long, { $set: { plan: 'free' } })])
    await store.editPerson(1, { kind: 'update', distinctId: long, set: { plan: 'pro' }, unset: [] })

    await store.rebuildPersons()

    await expectPlans(store, { [long.slice(0, 200)]: 'pro' })
  })

  it('lose a person with all IDs and events', async () => {
    const store = await start(engine)
    await store.append(1, [event('a'), identify('ada', 'a'), event('b')])
    await store.append(2, [event('a')])

    expect(await store.deletePerson(1, 'ada')).toBe(2)
    expect(await store.deletePerson(1, 'nobody')).toBe(0)

    await expectPlans(store, { b: null })
    expect(Object.keys((await store.findPersons(2)).events)).toHaveLength(1)
  })

  it('keep the person of an ID that was split off a deleted one, also in a rebuild', async () => {
    const store = await start(engine)
    await store.append(1, [event('a'), identify('ada', 'a'), event('c', { $set: { plan: 'old' } })])
    await store.append(1, [event('a', {}, 20), event('ada', {}, 20)])
    await store.deleteBefore(1, day(10))
    await store.editPerson(1, { kind: 'split', distinctId: 'ada' })

    expect(await store.deletePerson(1, 'ada')).toBe(1)
    const before = await read(store)
    await store.rebuildPersons()

    await expectPlans(store, { a: null, c: 'old' })
    expect(await read(store)).toEqual(before)
  })

  it('lose the events with a property, and persons who have no others', async () => {
    const store = await start(engine)
    await store.append(1, [event('a', { batch: 'x' }), identify('ada', 'merged'), event('c')])
    await store.append(1, [event('c', { batch: 'x' }), event('ada', { batch: 'y' })])

    expect(await store.deleteByProperty(1, { key: 'batch', value: 'x' })).toBe(2)

    await expectPlans(store, { 'ada merged': 'pro', c: null })
  })

  it('lose the groups with a property and their edits, also in a rebuild', async () => {
    const store = await start(engine)
    const describeGroup = (key: string, batch: string) => {
      const group = { $group_type: 'company', $group_key: key, $group_set: { $host: batch } }
      return event('a', { ...group, $host: batch }, 1, '$groupidentify')
    }
    const edit = {
      index: 0,
      timestamp: day(2),
      set: { plan: 'pro' },
      unset: [],
      kind: 'update',
    } as const
    await store.append(1, [describeGroup('old', 'x'), event('a', {}, 1)])
    await store.deleteBefore(1, day(2))
    await store.append(1, [describeGroup('new', 'x'), describeGroup('own', 'y')])
    for (const key of ['old', 'new', 'own']) await store.editGroup(1, { ...edit, key })

    await store.deleteByProperty(1, { key: '$host', value: 'x' })

    expect(Object.keys((await store.findGroups(1)).groups)).toEqual(['0 own'])
    await store.rebuildPersons()
    expect(Object.keys((await store.findGroups(1)).groups)).toEqual(['0 own'])
  })

  it('keep the persons of expired events, also in a rebuild', async () => {
    const store = await start(engine)
    await store.append(1, [event('a', { $set: { plan: 'old' } }, 1), event('b', {}, 1)])
    await store.append(1, [event('a', {}, 20)])

    expect(await store.deleteBefore(1, day(10))).toBe(2)
    await store.append(1, [event('b', { $set: { plan: 'new' } }, 21)])
    await store.rebuildPersons()

    await expectPlans(store, { a: 'old', b: 'new' })
  })

  it('are deleted with their project', async () => {
    const store = await start(engine)
    await store.append(1, visits(1))
    await store.append(2, [event('a')])

    await store.deleteProject(1)
    await store.rebuildPersons()

    expect(await read(store)).toEqual({ persons: [], events: {}, groups: {} })
    expect((await store.findPersons(2)).persons).toHaveLength(1)
  })
})

describe('a rebuild that is interrupted', () => {
  it('resumes after its last step, and refuses changes of persons until then', async () => {
    const store = createMemoryStore()
    await store.append(1, visits(1))
    await store.editPerson(1, { kind: 'split', distinctId: 'ada' })
    await store.append(1, visits(2))
    const before = await store.findPersons(1)
    let steps = 0
    store.onStep(() => {
      if (++steps === 2) throw new Error('interrupted')
    })

    await store.forgetPersons()
    await expect(store.catchUp()).rejects.toThrow('interrupted')
    const edit = store.editPerson(1, { kind: 'split', distinctId: 'ada' })
    await expect(edit).rejects.toThrow('being rebuilt')
    await expect(store.deletePerson(1, 'ada')).rejects.toThrow('being rebuilt')
    expect(await store.catchUp()).toBe(true)

    expect(steps).toBeGreaterThan(2)
    expect(await store.findPersons(1)).toEqual(before)
    expect(await store.catchUp()).toBe(false)
  })
})
