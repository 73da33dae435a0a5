import { LRUCache } from 'lru-cache'
import type { EventStore } from '#server/analytics/event-store.ts'
import { findPersonPropertyTypes, findPropertyTypes } from './property-types.ts'
import type { PropertyValue, SeenEvent, SeenProperty } from './schema.ts'
import { findSampleStart, listEventNames, listPropertyValues, type ValueQuery } from './store.ts'

const CACHE_MS = 60_000
const MAX_CACHED = 500

export interface Definitions {
  /** Most frequent first; up to a minute old. */
  events(projectId: number): Promise<readonly SeenEvent[]>
  /** `names` are the events to sample. Default: the most frequent ones. */
  properties(projectId: number, names?: readonly string[]): Promise<readonly SeenProperty[]>
  personProperties(projectId: number): Promise<readonly SeenProperty[]>
  values(projectId: number, query: ValueQuery): Promise<readonly PropertyValue[]>
}

/** Caches definitions: the editor requests them with every keystroke, and they rarely change. */
export function createDefinitions(store: EventStore): Definitions {
  const cache = new LRUCache<string, Promise<unknown>>({ max: MAX_CACHED, ttl: CACHE_MS })

  async function cached<T>(key: readonly unknown[], find: () => Promise<T>): Promise<T> {
    const text = JSON.stringify(key)
    const known = cache.get(text) as Promise<T> | undefined
    if (known) return known
    const pending = find()
    cache.set(text, pending)
    try {
      const found = await pending
      // users look for their first event right after sending it
      if (Array.isArray(found) && found.length === 0) cache.delete(text)
      return found
    } catch (error) {
      cache.delete(text)
      throw error
    }
  }

  const sampleStart = (projectId: number) =>
    cached(['sample', projectId], () => findSampleStart(store, projectId))

  const events = (projectId: number) =>
    cached(['events', projectId], async () =>
      listEventNames(store, projectId, await sampleStart(projectId)),
    )

  return {
    events,
    properties: (projectId, names) =>
      cached(['properties', projectId, names], async () => {
        const after = await sampleStart(projectId)
        const sampled = names ?? (await events(projectId)).map(({ name }) => name)
        return findPropertyTypes(store, projectId, sampled, after)
      }),
    personProperties: (projectId) =>
      cached(['person properties', projectId], () => findPersonPropertyTypes(store, projectId)),
    values: (projectId, query) =>
      cached(['values', projectId, query], async () =>
        listPropertyValues(store, projectId, query, await sampleStart(projectId)),
      ),
  }
}
