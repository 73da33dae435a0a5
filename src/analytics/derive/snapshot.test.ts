import { copyFile, rm } from 'node:fs/promises'
import { join } from 'node:path'
import fc from 'fast-check'
import { describe, expect, it, onTestFinished } from 'vitest'
import { openStorage } from '#server/db/open.ts'
import type { Tx } from '#server/db/schema.ts'
import { findGroups } from '../../../test/reference/find-groups.ts'
import { findPersons } from '../../../test/reference/find-persons.ts'
import { visitorEvent } from '../../../test/reference/visitors.ts'
import { DATABASES, type Database, storageOptions } from '../../../test/support/app/storage.ts'
import { temporaryFolder } from '../../../test/support/data/backups.ts'
import { newEvent, openTestStore, untilShipped } from '../../../test/support/data/events.ts'
import { toRestoreTables, toSnapshotTables } from '../../../test/support/data/memory-backup.ts'
import { emptyState } from '../../../test/support/data/memory-state.ts'
import { createMemoryStore } from '../../../test/support/data/memory-store.ts'
import { ensureInstallation } from '../installation.ts'
import { toEngine } from '../open.ts'
import { type EventRestore, type EventSnapshot, PORTABLE_TABLE_NAMES } from '../portable-tables.ts'
import { openRestore } from './restore.ts'
import { openSnapshot } from './snapshot.ts'

type Engine = 'memory' | Database

/** Starts an engine without events. */
async function start(engine: Engine) {
  if (engine === 'memory') {
    const store = createMemoryStore()
    return {
      store,
      withSnapshot: async (work: (snapshot: EventSnapshot) => Promise<void>) =>
        work(await store.openSnapshot({ folder: await temporaryFolder() })),
      withRestore: async (work: (restore: EventRestore) => Promise<void>) =>
        work(await store.openRestore(await temporaryFolder())),
    }
  }
  const options = await storageOptions(engine)
  const { db, close } = await openStorage(options)
  onTestFinished(close)
  const events = openTestStore(options, db)
  onTestFinished(events.close)
  const inTransaction = (work: (tx?: Tx) => Promise<void>) =>
    engine === 'sqlite' ? work() : db.transaction().execute(work)
  const store = {
    ...events,
    rebuildPersons: () => events.rebuildPersons(() => {}),
    findPersons: (projectId: number) => findPersons(events, projectId),
    findGroups: (projectId: number) => findGroups(events, projectId),
  }
  return {
    store,
    async withSnapshot(work: (snapshot: EventSnapshot) => Promise<void>) {
      const release = await events.holdChanges?.()
      await inTransaction(async (tx) => {
        await release?.()
        const folder = await temporaryFolder()
        const snapshot = await events.openSnapshot({ tx, folder, lastProjectId: 2 })
        await work(snapshot)
        await snapshot.close()
      })
    },
    async withRestore(work: (restore: EventRestore) => Promise<void>) {
      await inTransaction(async (tx) => {
        const installation = await ensureInstallation(db, async () => false)
        const folder = tx ? await temporaryFolder() : options.dataFolder
        await work(await toEngine(options).openRestore({ tx, folder, installation }))
      })
      if (!options.clickHouse) return
      await events.requireReady()
      await untilShipped(db)
    },
  }
}

/** Copies all parts. */
async function copy(from: EventSnapshot, to: EventRestore): Promise<void> {
  const path = join(to.partsFolder, 'part.parquet')
  for (const table of PORTABLE_TABLE_NAMES) {
    for (let part = await from.nextPart(table); part; part = await from.nextPart(table)) {
      await copyFile(part.path, path)
      await to.add(table, path, part.rows)
      for (const used of [path, part.path]) await rm(used)
    }
  }
  expect(await to.finish()).toEqual(from.counts)
}

const visits = (seed: number) => fc.sample(visitorEvent, { numRuns: 60, seed })

const day = (number: number) => new Date(Date.UTC(2026, 0, number)).toISOString()

type Store = Awaited<ReturnType<typeof start>>['store']

const read = async ({ findPersons, findGroups }: Store) => [
  await findPersons(1),
  (await findGroups(1)).groups,
  await findPersons(2),
]

const PAIRS: [Engine, Engine][] = DATABASES.includes('clickhouse')
  ? [
      ['sqlite', 'clickhouse'],
      ['clickhouse', 'postgres'],
    ]
  : [
      ['memory', 'sqlite'],
      ['sqlite', 'postgres'],
      ['postgres', 'memory'],
    ]

describe.each(PAIRS)('a snapshot of %s', (from, to) => {
  it(`is restored to ${to} with all that a rebuild needs`, async () => {
    const source = await start(from)
    const target = await start(to)
    const { store } = source
    await store.append(1, visits(1))
    await store.append(2, [newEvent({ timestamp: day(1), properties: '{"$set":{"plan":"old"}}' })])
    await store.append(2, [newEvent({ timestamp: day(20) })])
    await store.deleteBefore(2, day(10))
    await store.editPerson(1, { kind: 'split', distinctId: 'ada' })
    await store.append(1, visits(3))
    const update = { kind: 'update', distinctId: 'ada', set: { city: 'Ulm' }, unset: [] } as const
    await store.editPerson(1, update)
    const [group = ''] = Object.keys((await store.findGroups(1)).groups)
    const named = { index: Number(group[0]), key: group.slice(2), timestamp: day(40) }
    await store.editGroup(1, { kind: 'update', ...named, set: { plan: 'new' }, unset: [] })

    await source.withSnapshot((snapshot) =>
      target.withRestore((restore) => copy(snapshot, restore)),
    )

    expect(await read(target.store)).toEqual(await read(store))
    for (const each of [store, target.store]) {
      await each.append(1, visits(5))
      await each.editPerson(1, { kind: 'split', distinctId: 'bob' })
    }
    const after = await read(store)
    expect(await read(target.store)).toEqual(after)
    await target.store.rebuildPersons()
    expect(await read(target.store)).toEqual(after)
  })
})

describe('snapshots and restores', () => {
  it('notice rows that an engine loses', async () => {
    const store = createMemoryStore()
    await store.append(1, visits(1))
    const folder = await temporaryFolder()
    const tables = toSnapshotTables(emptyState(), folder)
    const snapshot = await openSnapshot({ ...tables, count: async () => 7 })
    const restored = await toRestoreTables(folder, () => {})
    const restore = await openRestore({ ...restored, add: async () => {} })

    await expect(snapshot.nextPart('events')).rejects.toThrow('Read 0 of 7 rows of events.')
    const copied = copy(await store.openSnapshot({ folder: await temporaryFolder() }), restore)
    await expect(copied).rejects.toThrow(/stored 0 of \d+ rows of persons/)
    await restore.close()
  })

  it('refuse a table that comes after one that needs it', async () => {
    const store = createMemoryStore()
    await store.append(1, visits(1))
    const snapshot = await store.openSnapshot({ folder: await temporaryFolder() })
    const restore = await createMemoryStore().openRestore(await temporaryFolder())
    const [events, persons] = [
      await snapshot.nextPart('events'),
      await snapshot.nextPart('persons'),
    ]

    await restore.add('events', events?.path ?? '', events?.rows ?? 0)
    const late = restore.add('persons', persons?.path ?? '', persons?.rows ?? 0)

    await expect(late).rejects.toThrow('rows of persons come too late')
    await restore.close()
  })
})
