import { join } from 'node:path'
import type { DuckDBConnection } from '@duckdb/node-api'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { expectGroups, findGroups } from '../../../test/reference/find-groups.ts'
import { expectPersons, findPersons } from '../../../test/reference/find-persons.ts'
import { visitorEvent } from '../../../test/reference/visitors.ts'
import { newEvent, startEventStore, type TestStore } from '../../../test/support/data/events.ts'
import type { NewEvent } from '../event-store.ts'
import { catchUpPersons, forgetPersons } from './catch-up-persons.ts'
import { EVENTS_FILE } from './file.ts'

/** Generates the events of a project. */
const visitsOf = (project: number): NewEvent[] =>
  fc.sample(visitorEvent, { numRuns: 60, seed: project })

const PROJECTS = [1, 2]

async function startVisited(): Promise<TestStore> {
  const store = await startEventStore('sqlite')
  for (const project of PROJECTS) await store.events.append(project, visitsOf(project))
  return store
}

/** Closes the store and edits its file directly. */
async function changeFile(
  { events, options }: TestStore,
  change: (connection: DuckDBConnection) => Promise<unknown>,
): Promise<void> {
  await events.close()
  const { DuckDBInstance } = await import('@duckdb/node-api')
  const instance = await DuckDBInstance.create(join(options.dataFolder, EVENTS_FILE))
  const connection = await instance.connect()
  await change(connection).finally(() => {
    connection.closeSync()
    instance.closeSync()
  })
}

/** Turns the file into one of a version without persons. */
async function removePersons(connection: DuckDBConnection): Promise<void> {
  const added = ['persons', 'person_ids', 'identity_warnings', 'person_edits', 'person_bases']
  for (const table of [...added, 'persons_base', 'person_ids_base']) {
    await connection.run(`drop table ${table}`)
  }
  await connection.run('alter table meta drop column identified_up_to')
  await connection.run('alter table meta drop column facts_up_to')
  await connection.run('alter table facts drop column person')
}

/** Turns the file into one of a version with persons but without groups. */
async function removeGroups(connection: DuckDBConnection): Promise<void> {
  for (const table of ['group_types', 'group_profiles', 'group_profiles_base', 'group_edits']) {
    await connection.run(`drop table ${table}`)
  }
  await connection.run('alter table meta drop column has_groups')
  for (const column of ['g0', 'g1', 'g2', 'g3', 'g4']) {
    await connection.run(`alter table facts drop column ${column}`)
  }
}

describe('a file of a version without groups', () => {
  it('gets its groups derived when it is opened', async () => {
    const store = await startVisited()
    expect(await store.events.count(1)).toBeGreaterThan(0)
    await changeFile(store, removeGroups)

    const events = await store.reopen()

    for (const project of PROJECTS) {
      expect(await findGroups(events, project)).toEqual(expectGroups(visitsOf(project)))
      expect(await findPersons(events, project)).toEqual(expectPersons(visitsOf(project)))
    }
  })

  it('is not rebuilt if no event names a group', async () => {
    const store = await startEventStore('sqlite')
    await store.events.append(1, [newEvent()])
    expect(await store.events.count(1)).toBe(1)
    await changeFile(store, removeGroups)

    const events = await store.reopen()
    await events.append(1, [newEvent({ properties: '{"$groups":{"company":"acme"}}' })])

    expect((await findGroups(events, 1)).types).toEqual(['company'])
  })
})

describe('a file of a version without persons', () => {
  it('gets its persons derived when it is opened', async () => {
    const store = await startVisited()
    expect(await store.events.count(1)).toBeGreaterThan(0)
    await changeFile(store, removePersons)

    const events = await store.reopen()

    for (const project of PROJECTS) {
      expect(await findPersons(events, project)).toEqual(expectPersons(visitsOf(project)))
    }
  })

  it('gets its persons derived even if no event is deduplicated yet', async () => {
    const store = await startVisited()
    await changeFile(store, removePersons)

    const events = await store.reopen()
    await events.append(1, visitsOf(3))

    const log = [...visitsOf(1), ...visitsOf(3)]
    expect(await findPersons(events, 1)).toEqual(expectPersons(log))
  })
})

describe('a rebuild', () => {
  it('derives the same persons and edits, even after an interruption', async () => {
    const store = await startVisited()
    const { events } = store
    const edit = {
      kind: 'update',
      distinctId: 'ada',
      set: { city: 'Ulm' },
      unset: ['plan'],
    } as const
    await events.editPerson(1, edit)
    await events.editPerson(2, { kind: 'split', distinctId: 'ada' })
    await events.append(1, visitsOf(3))
    await events.editPerson(1, { kind: 'delete', distinctId: 'bob' })
    await events.append(1, visitsOf(4))
    const read = () => Promise.all(PROJECTS.map((project) => findPersons(events, project)))
    const before = await read()
    const steps: number[] = []

    await changeFile(store, async (connection) => {
      await forgetPersons(connection)
      const isInterrupted = catchUpPersons(connection, (done) => {
        steps.push(done)
        throw new Error('interrupted')
      })
      await expect(isInterrupted).rejects.toThrow('interrupted')
    })
    const rebuilt = await store.reopen()

    expect(steps).toHaveLength(1)
    const after = await Promise.all(PROJECTS.map((project) => findPersons(rebuilt, project)))
    expect(after).toEqual(before)
  })
})
