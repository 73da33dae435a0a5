import { changeUncached } from '#server/db/change.ts'
import type { Db, Tx } from '#server/db/schema.ts'
import { inSeconds, now } from '#server/db/values.ts'
import type { AppCache } from '#server/runtime/contract.ts'
import {
  addItems,
  deleteItem,
  deleteItems,
  listItems,
  sizeOfItems,
  takeItems,
  toRange,
} from './cache-lists.ts'
import { changeCache, deleteExpired, type Owner, type SizedCache } from './cache-sizes.ts'

interface Entry {
  readonly value: string
  /** null: not a list. */
  readonly length: number | null
  readonly size: number
  readonly expires_at: string | null
}

/** The bytes of a row beside its key and value. */
const ROW_BYTES = 100

const toSize = (key: string, value = ''): number =>
  Buffer.byteLength(key) + Buffer.byteLength(value) + ROW_BYTES

const isLive = ({ expires_at }: Entry): boolean => expires_at === null || expires_at > now()

/** Implements `meta.cache`, which the configs of one app share within a project, on any worker. */
export function createAppCache(db: Db, projectId: number, pluginId: number): AppCache {
  const owner: Owner = { project_id: projectId, plugin_id: pluginId }

  const findRow = (from: Db, key: string): Promise<Entry | undefined> =>
    from
      .selectFrom('app_cache')
      .select(['value', 'length', 'size', 'expires_at'])
      .where('project_id', '=', projectId)
      .where('plugin_id', '=', pluginId)
      .where('key', '=', key)
      .executeTakeFirst()

  const findEntry = async (from: Db, key: string): Promise<Entry | undefined> => {
    const row = await findRow(from, key)
    return row && isLive(row) ? row : undefined
  }

  const findList = async (from: Db, key: string): Promise<Entry | undefined> => {
    const entry = await findEntry(from, key)
    return entry?.length ? entry : undefined
  }

  /** Replaces the value of the key. Throws if the cache is full. */
  const replace = async (cache: SizedCache, key: string, entry: Entry): Promise<void> => {
    const { tx } = cache
    const replaced = await findRow(tx, key)
    await cache.grow(entry.size - (replaced?.size ?? 0), key)
    if (replaced?.length && !(entry.length && isLive(replaced))) await deleteItems(tx, owner, key)
    await tx
      .insertInto('app_cache')
      .values({ ...owner, key, ...entry })
      .onConflict((conflict) =>
        conflict.columns(['project_id', 'plugin_id', 'key']).doUpdateSet(entry),
      )
      .execute()
  }

  const change = <T>(work: (cache: SizedCache) => Promise<T>): Promise<T> =>
    changeCache(db, owner, work)

  const shorten = async (
    cache: SizedCache,
    key: string,
    list: Entry,
    removed: { readonly count: number; readonly bytes: number },
  ): Promise<void> => {
    const length = (list.length ?? 0) - removed.count
    if (length > 0) return replace(cache, key, { ...list, length, size: list.size - removed.bytes })
    await cache.grow(-list.size, key)
    await deleteKey(cache.tx, owner, key)
  }

  return {
    async get(key) {
      const entry = await findEntry(db, key)
      return entry?.length === null ? entry.value : undefined
    },
    set: (key, value, ttl) =>
      change((cache) =>
        replace(cache, key, {
          value,
          length: null,
          size: toSize(key, value),
          expires_at: ttl === undefined ? null : inSeconds(ttl),
        }),
      ),
    increment: (key) =>
      change(async (cache) => {
        const entry = await findEntry(cache.tx, key)
        const next = (Number(entry?.value ?? 0) || 0) + 1
        const value = String(next)
        const expires_at = entry?.expires_at ?? null
        await replace(cache, key, { value, length: null, size: toSize(key, value), expires_at })
        return next
      }),
    expire: (key, ttl) =>
      change(async ({ tx }) => {
        if (!(await findEntry(tx, key))) return false
        await tx
          .updateTable('app_cache')
          .set({ expires_at: inSeconds(ttl) })
          .where('project_id', '=', projectId)
          .where('plugin_id', '=', pluginId)
          .where('key', '=', key)
          .execute()
        return true
      }),
    push: (key, values) =>
      change(async (cache) => {
        const list = await findList(cache.tx, key)
        const length = (list?.length ?? 0) + values.length
        if (values.length === 0) return length
        const size = (list?.size ?? toSize(key)) + sizeOfItems(values)
        const expires_at = list?.expires_at ?? null
        await replace(cache, key, { value: '', length, size, expires_at })
        await addItems(cache.tx, owner, key, values)
        return length
      }),
    async range(key, start, end) {
      const list = await findList(db, key)
      return list ? listItems(db, owner, key, toRange(list.length ?? 0, start, end)) : []
    },
    length: async (key) => (await findList(db, key))?.length ?? 0,
    remove: (key, count, value) =>
      change(async (cache) => {
        const list = await findList(cache.tx, key)
        const removed = list ? await deleteItem(cache.tx, owner, key, { value, count }) : 0
        if (list && removed > 0) {
          const bytes = removed * sizeOfItems([value])
          await shorten(cache, key, list, { count: removed, bytes })
        }
        return removed
      }),
    pop: (key, count) =>
      change(async (cache) => {
        const list = count > 0 ? await findList(cache.tx, key) : undefined
        const values = list ? await takeItems(cache.tx, owner, key, count) : []
        if (list && values.length > 0) {
          await shorten(cache, key, list, { count: values.length, bytes: sizeOfItems(values) })
        }
        return values
      }),
  }
}

async function deleteKey(tx: Tx, owner: Owner, key: string): Promise<void> {
  await tx
    .deleteFrom('app_cache')
    .where('project_id', '=', owner.project_id)
    .where('plugin_id', '=', owner.plugin_id)
    .where('key', '=', key)
    .execute()
}

/** Deletes expired entries, app by app. */
export async function pruneAppCache(db: Db): Promise<void> {
  const owners = await db
    .selectFrom('app_cache')
    .select(['project_id', 'plugin_id'])
    .distinct()
    .where('expires_at', '<', now())
    .execute()
  for (const owner of owners) {
    await changeUncached(db, (tx) => deleteExpired(tx, owner))
  }
}
