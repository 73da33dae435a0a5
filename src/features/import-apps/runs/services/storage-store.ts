import { changeUncached } from '#server/db/change.ts'
import type { Db, Tx } from '#server/db/schema.ts'
import { AppProblem, type AppStorage } from '#server/runtime/contract.ts'

const MAX_MIB = 32
const MAX_BYTES = MAX_MIB * 1024 * 1024

/** The bytes of a row beside its key and value. */
const ROW_BYTES = 100

const toSize = (key: string, value: string): number =>
  Buffer.byteLength(key) + Buffer.byteLength(value) + ROW_BYTES

/** Implements `meta.storage` and `meta.utils.cursor`, which a config keeps between its runs. */
export function createAppStorage(db: Db, configId: number): AppStorage {
  const selectEntry = (from: Db, key: string) =>
    from.selectFrom('app_storage').where('config_id', '=', configId).where('key', '=', key)

  const findValue = async (from: Db, key: string): Promise<string | undefined> =>
    (await selectEntry(from, key).select('value').executeTakeFirst())?.value

  /** Serializes the changes of one config, because each locks the config's total. */
  const change = <T>(work: (tx: Tx, total: number) => Promise<T>): Promise<T> =>
    changeUncached(db, async (tx) => {
      const { bytes } = await tx
        .insertInto('app_storage_totals')
        .values({ config_id: configId, bytes: 0 })
        .onConflict((conflict) =>
          conflict.column('config_id').doUpdateSet(({ ref }) => ({
            bytes: ref('app_storage_totals.bytes'),
          })),
        )
        .returning('bytes')
        .executeTakeFirstOrThrow()
      return work(tx, bytes)
    })

  const updateTotal = async (tx: Tx, bytes: number): Promise<void> => {
    await tx
      .updateTable('app_storage_totals')
      .set({ bytes })
      .where('config_id', '=', configId)
      .execute()
  }

  const upsert = async (tx: Tx, total: number, key: string, value: string): Promise<void> => {
    const size = toSize(key, value)
    const replaced = await selectEntry(tx, key).select('size').executeTakeFirst()
    const growth = size - (replaced?.size ?? 0)
    if (growth > 0 && total + growth > MAX_BYTES) {
      throw new AppProblem(`meta.storage is full: a config can store ${MAX_MIB} MiB.`)
    }
    await tx
      .insertInto('app_storage')
      .values({ config_id: configId, key, value, size })
      .onConflict((conflict) => conflict.columns(['config_id', 'key']).doUpdateSet({ value, size }))
      .execute()
    await updateTotal(tx, total + growth)
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
        if (deleted) await updateTotal(tx, total - deleted.size)
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
