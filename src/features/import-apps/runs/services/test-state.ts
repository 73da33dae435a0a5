import { type AppCache, AppProblem, type AppStorage } from '#server/runtime/contract.ts'
import { toRange } from './cache-lists.ts'

const MAX_MIB = 32

/** Bounds the memory of a test run's changes, which are kept until it ends. */
function createMemory(): (text: string) => string {
  let left = MAX_MIB * 1024 * 1024
  return (text) => {
    left -= text.length
    if (left < 0) throw new AppProblem(`This run can write ${MAX_MIB} MiB to storage and cache.`)
    return text
  }
}

/**
 * Starts empty, so that a test run or a window of a backfill reads from the start, as the first run of a config does, and
 * leaves the live state as it is.
 */
export function createTestStorage(): AppStorage {
  const keep = createMemory()
  const values = new Map<string, string>()
  return {
    get: async (key) => values.get(key),
    set: async (key, value) => void values.set(key, keep(value)),
    delete: async (key) => void values.delete(key),
    setIfAbsent: async (key, value) => void values.set(key, values.get(key) ?? keep(value)),
    async increment(key, by) {
      const next = (Number(values.get(key)) || 0) + by
      values.set(key, keep(String(next)))
      return next
    },
  }
}

/** Starts empty, as a cache may at any time. */
export function createTestCache(): AppCache {
  const keep = createMemory()
  const values = new Map<string, string>()
  const lists = new Map<string, string[]>()
  const readList = (key: string): string[] => lists.get(key) ?? []
  return {
    get: async (key) => values.get(key),
    set: async (key, value) => void values.set(key, keep(value)),
    async increment(key) {
      const next = (Number(values.get(key)) || 0) + 1
      values.set(key, keep(String(next)))
      return next
    },
    expire: async (key) => values.has(key) || lists.has(key),
    async push(key, added) {
      const list = [...added.map(keep).toReversed(), ...readList(key)]
      lists.set(key, list)
      return list.length
    },
    async range(key, start, end) {
      const list = readList(key)
      const { offset, limit } = toRange(list.length, start, end)
      return list.slice(offset, offset + limit)
    },
    length: async (key) => readList(key).length,
    async remove(key, count, value) {
      const list = readList(key)
      const found = list.flatMap((one, index) => (one === value ? [index] : []))
      const removed = new Set(count < 0 ? found.slice(count) : found.slice(0, count || undefined))
      const rest = list.filter((_, index) => !removed.has(index))
      lists.set(key, rest)
      return removed.size
    },
    async pop(key, count) {
      const list = readList(key)
      lists.set(key, list.slice(count))
      return list.slice(0, count)
    },
  }
}
