import { changeUncached } from '#server/db/change.ts'
import { isPostgres } from '#server/db/dialect.ts'
import type { Db } from '#server/db/schema.ts'
import { inSeconds, now } from '#server/db/values.ts'
import type { AppCache } from '#server/runtime/contract.ts'

interface Entry {
  readonly value: string
  readonly expires_at: string | null
}

/**
 * Implements `meta.cache`, which the configs of one app share within a project, on any worker. A list is one entry
 * that holds a JSON array.
 */
export function createAppCache(db: Db, projectId: number, pluginId: number): AppCache {
  const owner = { project_id: projectId, plugin_id: pluginId }

  const findEntry = async (from: Db, key: string, lock = false): Promise<Entry | undefined> => {
    const entry = from
      .selectFrom('app_cache')
      .select(['value', 'expires_at'])
      .where('project_id', '=', projectId)
      .where('plugin_id', '=', pluginId)
      .where('key', '=', key)
    const row = await (lock && isPostgres(from) ? entry.forUpdate() : entry).executeTakeFirst()
    return row && (row.expires_at === null || row.expires_at > now()) ? row : undefined
  }

  const upsertEntry = async (to: Db, key: string, entry: Entry): Promise<void> => {
    await to
      .insertInto('app_cache')
      .values({ ...owner, key, ...entry })
      .onConflict((conflict) =>
        conflict.columns(['project_id', 'plugin_id', 'key']).doUpdateSet(entry),
      )
      .execute()
  }

  /** Reads and writes an entry under a lock. */
  const change = <T>(key: string, step: (entry: Entry | undefined) => [Entry, T]): Promise<T> =>
    changeUncached(db, async (tx) => {
      await tx
        .insertInto('app_cache')
        .values({ ...owner, key, value: '', expires_at: LONG_AGO }) // only an existing row can be locked
        .onConflict((conflict) => conflict.doNothing())
        .execute()
      const [entry, result] = step(await findEntry(tx, key, true))
      await upsertEntry(tx, key, entry)
      return result
    })

  const changeList = <T>(key: string, step: (list: string[]) => [string[], T]): Promise<T> =>
    change(key, (entry) => {
      const [list, result] = step(toList(entry))
      return [{ value: JSON.stringify(list), expires_at: entry?.expires_at ?? null }, result]
    })

  return {
    get: async (key) => (await findEntry(db, key))?.value,
    set: (key, value, ttl) =>
      upsertEntry(db, key, { value, expires_at: ttl === undefined ? null : inSeconds(ttl) }),
    increment: (key) =>
      change(key, (entry) => {
        const next = (Number(entry?.value ?? 0) || 0) + 1
        return [{ value: String(next), expires_at: entry?.expires_at ?? null }, next]
      }),
    expire: async (key, ttl) => {
      const entry = await findEntry(db, key)
      if (entry) await upsertEntry(db, key, { value: entry.value, expires_at: inSeconds(ttl) })
      return entry !== undefined
    },
    push: (key, values) =>
      changeList(key, (list) => {
        const next = [...values.toReversed(), ...list]
        return [next, next.length]
      }),
    range: async (key, start, end) => slice(toList(await findEntry(db, key)), start, end),
    length: async (key) => toList(await findEntry(db, key)).length,
    remove: (key, count, value) =>
      changeList(key, (list) => {
        const next = without(list, value, count)
        return [next, list.length - next.length]
      }),
    pop: (key, count) => changeList(key, (list) => [list.slice(count), list.slice(0, count)]),
  }
}

const LONG_AGO = new Date(0).toISOString()

function toList(entry: Entry | undefined): string[] {
  try {
    const list: unknown = JSON.parse(entry?.value ?? '[]')
    return Array.isArray(list) ? list : []
  } catch {
    return []
  }
}

/** Slices with an inclusive end. Negative indexes count from the end of the list. */
function slice(list: readonly string[], start: number, end: number): string[] {
  const toIndex = (index: number) => (index < 0 ? list.length + index : index)
  return list.slice(Math.max(toIndex(start), 0), Math.max(toIndex(end) + 1, 0))
}

/** Removes the first `count` occurrences, the last ones if it is negative, or all if it is 0. */
function without(list: readonly string[], value: string, count: number): string[] {
  let left = count === 0 ? list.length : Math.abs(count)
  const keep = (item: string) => item !== value || left-- <= 0
  return count < 0 ? list.toReversed().filter(keep).toReversed() : list.filter(keep)
}

export async function pruneAppCache(db: Db): Promise<void> {
  await db.deleteFrom('app_cache').where('expires_at', '<', now()).execute()
}
