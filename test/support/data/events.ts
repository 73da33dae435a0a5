import { randomUUID } from 'node:crypto'
import { onTestFinished, vi } from 'vitest'
import { hasWork } from '#server/analytics/clickhouse/outbox/shipping.ts'
import type { EventStore, NewEvent } from '#server/analytics/event-store.ts'
import { openEventStore } from '#server/analytics/open.ts'
import { wrapMethods } from '#server/analytics/wrap-methods.ts'
import { openStorage, type StorageOptions } from '#server/db/open.ts'
import type { Db } from '#server/db/schema.ts'
import { type Database, sharedStorageOptions, storageOptions } from '../app/storage.ts'

export type { Database }

export const newEvent = (event: Partial<NewEvent> = {}): NewEvent => ({
  uuid: randomUUID(),
  event: 'visited',
  distinct_id: 'ada',
  timestamp: '2026-01-02T03:04:05.678Z',
  properties: '{"plan":"pro"}',
  ...event,
})

export const ALL = { limit: 1000, offset: 0 }

export interface TestStore {
  readonly events: EventStore
  readonly options: StorageOptions
  /** Closes the store and opens it again on the same files. */
  reopen(): Promise<EventStore>
}

/** Starts the event store of a database on new storage. */
export async function startEventStore(database: Database): Promise<TestStore> {
  const options = await storageOptions(database)
  const storage = await openStorage(options)
  onTestFinished(() => storage.close())
  const open = () => openTestStore(options, storage.db)
  let events = open()
  onTestFinished(() => events.close())
  return {
    events,
    options,
    async reopen() {
      await events.close()
      events = open()
      return events
    },
  }
}

const sharedStores = new Map<Database, Promise<EventStore>>()
let lastProject = 0

/** Returns stores that the tests of this worker share, and a number: the 10,000 projects after it have no events yet. */
export async function useEventStores(...databases: Database[]) {
  const stores = await Promise.all(databases.map(getSharedStore))
  const before = lastProject
  lastProject += 10_000
  return { stores, before }
}

/** The operations of one project. */
export type ProjectStore = Omit<
  EventStore,
  | 'close'
  | 'deleteWarningsBefore'
  | 'holdChanges'
  | 'openSnapshot'
  | 'readSize'
  | 'rebuildDerived'
  | 'rebuildPersons'
  | 'requireIntact'
  | 'requireReady'
>

/**
 * Returns a store that the tests of this worker share, because opening one takes 100 ms of CPU time. Projects 1 to 10,000
 * are the test's. Tests of what affects all projects call `startEventStore()`.
 */
export async function useEventStore(database: Database): Promise<ProjectStore> {
  const { stores, before } = await useEventStores(database)
  const store = stores[0] as EventStore
  return {
    append: (id, events) => store.append(before + id, events),
    appendPacked: (id, events) => store.appendPacked(before + id, events),
    countNew: (id, appended) => store.countNew(before + id, appended),
    list: (id, filter) => store.list(before + id, filter),
    count: (id) => store.count(before + id),
    query: (id, query) => store.query(before + id, query),
    version: (id) => store.version(before + id),
    editPerson: (id, edit) => store.editPerson(before + id, edit),
    deletePerson: (id, distinctId) => store.deletePerson(before + id, distinctId),
    editGroup: (id, edit) => store.editGroup(before + id, edit),
    deleteBefore: (id, time) => store.deleteBefore(before + id, time),
    deleteProject: (id) => store.deleteProject(before + id),
    deleteByProperty: (id, match) => store.deleteByProperty(before + id, match),
  }
}

function getSharedStore(database: Database): Promise<EventStore> {
  let opening = sharedStores.get(database)
  if (!opening) {
    opening = openSharedStore(database)
    sharedStores.set(database, opening)
  }
  return opening
}

async function openSharedStore(database: Database): Promise<EventStore> {
  const options = await sharedStorageOptions(database)
  const { db } = await openStorage(options)
  return openTestStore(options, db)
}

/** Waits until ClickHouse has everything that was stored. */
export const untilShipped = (db: Db, isOver = () => false): Promise<boolean> =>
  vi.waitUntil(async () => isOver() || !(await hasWork(db)), { timeout: 120_000, interval: 50 })

/** Opens a store whose changes can be read when they are made, however slow ClickHouse is in the tests. */
export function openTestStore(options: StorageOptions, db: Db): EventStore {
  const store = openEventStore({ ...options, db })
  if (!options.clickHouse) return store
  const changes = [
    'append',
    'appendPacked',
    'editPerson',
    'deletePerson',
    'editGroup',
    'deleteBefore',
    'deleteByProperty',
    'deleteProject',
    'rebuildPersons',
    'rebuildDerived',
  ] as const
  const methods = Object.fromEntries(changes.map((name) => [name, store[name]]))
  let isClosed = false
  return {
    ...store,
    close: () => {
      isClosed = true // what waits then is sent after the next start
      return store.close()
    },
    ...wrapMethods(
      methods,
      <Args extends unknown[], T>(method: (...args: Args) => Promise<T>) =>
        async (...args: Args): Promise<T> => {
          const result = await method(...args)
          await store.requireReady()
          await untilShipped(db, () => isClosed)
          return result
        },
    ),
  }
}
