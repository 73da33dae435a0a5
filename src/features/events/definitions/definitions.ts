import { LRUCache } from 'lru-cache'
import type { EventStore } from '#server/analytics/event-store.ts'
import { findPropertyTypes } from './property-types.ts'
import type { EventDefinition, PropertyDefinition, PropertyValue } from './schema.ts'
import { findSampleStart, listEventNames, listPropertyValues, type ValueQuery } from './store.ts'

const KEPT_MS = 60_000
const MOST_KEPT = 500

export interface Definitions {
  /** The most frequent first, as of the last minute. */
  events(projectId: number): Promise<readonly EventDefinition[]>
  properties(projectId: number, event?: string): Promise<readonly PropertyDefinition[]>
  values(projectId: number, query: ValueQuery): Promise<readonly PropertyValue[]>
}

/** What there is to choose from is asked for with every key that somebody presses, and changes rarely. */
export function createDefinitions(store: EventStore): Definitions {
  const kept = new LRUCache<string, Promise<unknown>>({ max: MOST_KEPT, ttl: KEPT_MS })

  async function keep<T>(key: readonly unknown[], find: () => Promise<T>): Promise<T> {
    const text = JSON.stringify(key)
    const known = kept.get(text) as Promise<T> | undefined
    if (known) return known
    const finding = find()
    kept.set(text, finding)
    try {
      const found = await finding
      // whoever sends their first event looks for it at once
      if (Array.isArray(found) && found.length === 0) kept.delete(text)
      return found
    } catch (error) {
      kept.delete(text)
      throw error
    }
  }

  const sampleOf = (projectId: number) =>
    keep(['sample', projectId], () => findSampleStart(store, projectId))

  const events = (projectId: number) =>
    keep(['events', projectId], async () =>
      listEventNames(store, projectId, await sampleOf(projectId)),
    )

  return {
    events,
    properties: (projectId, event) =>
      keep(['properties', projectId, event], async () => {
        const after = await sampleOf(projectId)
        const names = event === undefined ? await events(projectId) : [{ name: event }]
        return findPropertyTypes(
          store,
          projectId,
          names.map(({ name }) => name),
          after,
        )
      }),
    values: (projectId, query) =>
      keep(['values', projectId, query], async () =>
        listPropertyValues(store, projectId, query, await sampleOf(projectId)),
      ),
  }
}
