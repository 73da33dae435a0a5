import {
  type CatchUp,
  catchUp,
  forgetPersons,
  rebuildPersons,
} from '#server/analytics/derive/catch-up.ts'
import { createChanges } from '#server/analytics/derive/changes.ts'
import type { DerivedTables } from '#server/analytics/derive/derived-tables.ts'
import { openRestore } from '#server/analytics/derive/restore.ts'
import { openSnapshot } from '#server/analytics/derive/snapshot.ts'
import { toEventRow } from '#server/analytics/event-row.ts'
import type { NewEvent } from '#server/analytics/event-store.ts'
import type { PersonState } from '#server/analytics/identity/identity.ts'
import { type PersonsFound, writeTexts } from '../../reference/find-persons.ts'
import { toRestoreTables, toSnapshotTables } from './memory-backup.ts'
import { emptyState, type State, toIdKey } from './memory-state.ts'
import { deriveEvents, isOf, toTables } from './memory-tables.ts'

/** Creates an event store without SQL, transactions and updates of events, as an engine of its own. */
export function createMemoryStore() {
  let state = emptyState()
  let onStep = () => {}

  /** Changes a copy, so that a change that fails leaves nothing. */
  async function change<T>(work: (tables: DerivedTables) => Promise<T>): Promise<T> {
    const copy = structuredClone(state)
    const result = await work(toTables(copy))
    state = copy
    return result
  }

  const engine: CatchUp = {
    prepare: async () => state.mark !== undefined,
    change,
    onStep: () => onStep(),
    async complete() {
      state.mark = undefined
    },
  }

  return {
    async append(projectId: number, events: readonly NewEvent[]) {
      const known = new Set(state.events.filter(isOf(projectId)).map(({ uuid }) => uuid))
      for (const event of events.map((event) => toEventRow(projectId, event))) {
        if (known.has(event.uuid)) continue
        known.add(event.uuid)
        const stored = { ...event, seq: ++state.lastNumber, isDeleted: false }
        state.events.push(stored)
        await change((tables) => deriveEvents(tables, [stored], 0))
      }
    },
    ...createChanges((_projectId, work) => change(work)),
    rebuildPersons: () => rebuildPersons(engine),
    forgetPersons: () => change(forgetPersons),
    catchUp: () => catchUp(engine),
    onStep(listener: () => void) {
      onStep = listener
    },
    openSnapshot: ({ folder }: { readonly folder: string }) =>
      openSnapshot(toSnapshotTables(structuredClone(state), folder)),
    openRestore: async (folder: string) =>
      openRestore(
        await toRestoreTables(folder, (restored) => {
          state = restored
        }),
      ),
    findPersons: (projectId: number) => findPersons(state, projectId),
    findGroups: async (projectId: number) => ({ groups: findGroups(state, projectId) }),
  }
}

export type MemoryStore = ReturnType<typeof createMemoryStore>

/** Reads what `findPersons` reads from an engine with SQL. */
function findPersons({ persons, ids, events }: State, projectId: number): PersonsFound {
  const all = [...ids.values()].filter(isOf(projectId))
  const idsOf = (number: number | undefined) =>
    JSON.stringify(
      all.flatMap(({ person, distinctId }) => (person === number ? [distinctId] : [])).toSorted(),
    )
  const found = [...new Set(all.map(({ person }) => person))].map((number) => {
    const { hasProfile, isIdentified, createdAt, properties } = persons.get(number) as PersonState
    const profile = { isIdentified, createdAt, properties: writeTexts(properties) }
    return [idsOf(number), hasProfile ? profile : undefined] as const
  })
  const readable = events.filter(isOf(projectId)).filter(({ isDeleted }) => !isDeleted)
  return {
    persons: found.toSorted(([one], [other]) => (one < other ? -1 : 1)),
    events: Object.fromEntries(
      readable.map(({ uuid, distinct_id: distinctId }) => [
        uuid,
        idsOf(ids.get(toIdKey({ projectId, distinctId }))?.person),
      ]),
    ),
  }
}

/** Reads the groups as `findGroups` does from an engine with SQL. */
const findGroups = ({ groups }: State, projectId: number) =>
  Object.fromEntries(
    [...groups.values()]
      .filter(isOf(projectId))
      .map(({ index, key, createdAt, updatedAt, properties }) => [
        `${index} ${key}`,
        { createdAt, updatedAt, texts: writeTexts(properties) },
      ]),
  )
