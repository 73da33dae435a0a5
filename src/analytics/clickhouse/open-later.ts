import type { EventStore } from '../event-store.ts'

const METHODS: Readonly<Record<keyof EventStore, true>> = {
  append: true,
  appendPacked: true,
  countNew: true,
  list: true,
  count: true,
  query: true,
  version: true,
  editPerson: true,
  deletePerson: true,
  editGroup: true,
  deleteBefore: true,
  deleteWarningsBefore: true,
  deleteProject: true,
  deleteByProperty: true,
  rebuildPersons: true,
  rebuildDerived: true,
  holdChanges: true,
  openSnapshot: true,
  readSize: true,
  readOutbox: true,
  readParts: true,
  requireReady: true,
  requireIntact: true,
  close: true,
}

type Method = (...args: unknown[]) => Promise<unknown>

/** Creates a store that is loaded at first use, because most servers have none in ClickHouse, and its code takes 9 MB. */
export function openLater(load: () => Promise<EventStore>): EventStore {
  let loading: Promise<EventStore> | undefined
  const call =
    (name: keyof EventStore): Method =>
    async (...args) => {
      loading ??= load()
      return ((await loading)[name] as Method)(...args)
    }
  const methods = Object.keys(METHODS).map((name) => [name, call(name as keyof EventStore)])
  return {
    ...(Object.fromEntries(methods) as EventStore),
    close: async () => (await loading)?.close(),
  }
}
