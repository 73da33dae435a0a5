import { changeUncached } from '#server/db/change.ts'
import { isPostgres } from '#server/db/dialect.ts'
import type { Db } from '#server/db/schema.ts'
import type { AppStorage } from '#server/runtime/contract.ts'

/** Implements `meta.storage` and `meta.utils.cursor`, which a config keeps between its runs. */
export function createAppStorage(db: Db, configId: number): AppStorage {
  const selectEntry = (from: Db, key: string) =>
    from.selectFrom('app_storage').where('config_id', '=', configId).where('key', '=', key)

  const insert = (to: Db, key: string, value: string) =>
    to.insertInto('app_storage').values({ config_id: configId, key, value })

  const upsert = async (to: Db, key: string, value: string): Promise<void> => {
    await insert(to, key, value)
      .onConflict((conflict) => conflict.columns(['config_id', 'key']).doUpdateSet({ value }))
      .execute()
  }

  const insertIfAbsent = async (to: Db, key: string, value: string): Promise<void> => {
    await insert(to, key, value)
      .onConflict((conflict) => conflict.doNothing())
      .execute()
  }

  return {
    get: async (key) => (await selectEntry(db, key).select('value').executeTakeFirst())?.value,
    set: (key, value) => upsert(db, key, value),
    async delete(key) {
      await db
        .deleteFrom('app_storage')
        .where('config_id', '=', configId)
        .where('key', '=', key)
        .execute()
    },
    setIfAbsent: (key, value) => insertIfAbsent(db, key, value),
    increment: (key, by) =>
      changeUncached(db, async (tx) => {
        await insertIfAbsent(tx, key, '0') // only an existing row can be locked
        const row = selectEntry(tx, key).select('value')
        const { value } = await (isPostgres(tx) ? row.forUpdate() : row).executeTakeFirstOrThrow()
        const next = (Number(value) || 0) + by // anything but a number counts as 0
        await upsert(tx, key, String(next))
        return next
      }),
  }
}
