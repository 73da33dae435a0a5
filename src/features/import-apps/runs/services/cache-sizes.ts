import { changeUncached } from '#server/db/change.ts'
import type { Db, Tx } from '#server/db/schema.ts'
import { now } from '#server/db/values.ts'
import { AppProblem } from '#server/runtime/contract.ts'

/** An app can read a whole list at once, so its cache must fit into one response. */
const MAX_MIB = 8
const MAX_BYTES = MAX_MIB * 1024 * 1024

/** The app and project that a cache belongs to. */
export interface Owner {
  readonly project_id: number
  readonly plugin_id: number
}

export interface SizedCache {
  readonly tx: Tx
  /** Adds the bytes that an entry grows by. Throws if the cache is full even without expired entries. */
  grow(bytes: number, key: string): Promise<void>
}

/** Runs a change of a cache. Changes of one cache are serialized, because each locks its total. */
export const changeCache = <T>(
  db: Db,
  owner: Owner,
  work: (cache: SizedCache) => Promise<T>,
): Promise<T> =>
  changeUncached(db, async (tx) => {
    let total = await lockTotal(tx, owner)
    return work({
      tx,
      async grow(bytes, key) {
        if (bytes > 0 && total + bytes > MAX_BYTES) total = await deleteExpired(tx, owner, key)
        if (bytes > 0 && total + bytes > MAX_BYTES) {
          throw new AppProblem(
            `meta.cache is full: the configs of an app in a project can cache ${MAX_MIB} MiB.`,
          )
        }
        total += bytes
        await updateTotal(tx, owner, total)
      },
    })
  })

async function lockTotal(tx: Tx, owner: Owner): Promise<number> {
  const { bytes } = await tx
    .insertInto('app_cache_totals')
    .values({ ...owner, bytes: 0 })
    .onConflict((conflict) =>
      conflict.columns(['project_id', 'plugin_id']).doUpdateSet(({ ref }) => ({
        bytes: ref('app_cache_totals.bytes'),
      })),
    )
    .returning('bytes')
    .executeTakeFirstOrThrow()
  return bytes
}

async function updateTotal(tx: Tx, owner: Owner, bytes: number): Promise<void> {
  await tx
    .updateTable('app_cache_totals')
    .set({ bytes })
    .where('project_id', '=', owner.project_id)
    .where('plugin_id', '=', owner.plugin_id)
    .execute()
}

/** Deletes expired entries, except the one that is being replaced. Returns the bytes that remain. */
export async function deleteExpired(tx: Tx, owner: Owner, except?: string): Promise<number> {
  const total = await lockTotal(tx, owner)
  const deleted = await tx
    .deleteFrom('app_cache')
    .where('expires_at', '<', now())
    .where('project_id', '=', owner.project_id)
    .where('plugin_id', '=', owner.plugin_id)
    .$if(except !== undefined, (query) => query.where('key', '!=', except ?? ''))
    .returning('size')
    .execute()
  if (deleted.length === 0) return total
  const remaining = deleted.reduce((left, { size }) => left - size, total)
  await updateTotal(tx, owner, remaining)
  return remaining
}
