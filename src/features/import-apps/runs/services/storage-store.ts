import { changeUncached } from '#server/db/change.ts'
import type { Db, Tx } from '#server/db/schema.ts'
import {
  lockTotal,
  MAX_STATE_BYTES,
  MAX_STATE_MIB,
  toSize,
  updateTotal,
} from '#server/features/import-apps/state/store.ts'
import { AppProblem, type AppStorage } from '#server/runtime/contract.ts'

/** Implements `meta.storage` and `meta.utils.cursor`, which a config keeps between its runs. */
export function createAppStorage(db: Db, configId: number): AppStorage {
  const selectEntry = (from: Db, key: string) =>
    from.selectFrom('app_storage').where('config_id', '=', configId).where('key', '=', key)

  const findValue = async (from: Db, key: string): Promise<string | undefined> =>
    (await selectEntry(from, key).select('value').executeTakeFirst())?.value

  const change = <T>(work: (tx: Tx, total: number) => Promise<T>): Promise<T> =>
    changeUncached(db, async (tx) => work(tx, (await lockTotal(tx, configId)).bytes))

  const upsert = async (tx: Tx, total: number, key: string, value: string): Promise<void> => {
    const size = toSize(key, value)
    const replaced = await selectEntry(tx, key).select('size').executeTakeFirst()
    const growth = size - (replaced?.size ?? 0)
    if (growth > 0 && total + growth > MAX_STATE_BYTES) {
      throw new AppProblem(`meta.storage is full: a config can store ${MAX_STATE_MIB} MiB.`)
    }
    await tx
      .insertInto('app_storage')
      .values({ config_id: configId, key, value, size })
      .onConflict((conflict) => conflict.columns(['config_id', 'key']).doUpdateSet({ value, size }))
      .execute()
    await updateTotal(tx, configId, total + growth)
  }

  return {
    get: (key) => findValue(db, key),
    set: (key, value) => change((tx, total) => upsert(tx, total, key, value)),
    delete: (key) =>
      change(async (tx, total) => {
        const deleted = await tx
          .deleteFrom('app_storage')
          .where('config_id', '=', configId)
          .where('key', '=', key)
          .returning('size')
          .executeTakeFirst()
        if (deleted) await updateTotal(tx, configId, total - deleted.size)
      }),
    setIfAbsent: (key, value) =>
      change(async (tx, total) => {
        const existing = await selectEntry(tx, key).select('key').executeTakeFirst()
        if (!existing) await upsert(tx, total, key, value)
      }),
    increment: (key, by) =>
      change(async (tx, total) => {
        const next = (Number(await findValue(tx, key)) || 0) + by // anything but a number counts as 0
        await upsert(tx, total, key, String(next))
        return next
      }),
  }
}
