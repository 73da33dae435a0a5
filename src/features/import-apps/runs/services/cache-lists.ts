import type { PageRange } from '#server/db/page-range.ts'
import type { Db, Tx } from '#server/db/schema.ts'
import type { Owner } from './cache-sizes.ts'

/** The bytes of an item beside its value. */
const ITEM_BYTES = 50

export const sizeOfItems = (values: readonly string[]): number =>
  values.reduce((size, value) => size + Buffer.byteLength(value) + ITEM_BYTES, 0)

/** Stores one row per item, so that a change writes only the affected items. The first has the lowest position. */
const selectItems = (db: Db, owner: Owner, key: string) =>
  db
    .selectFrom('app_cache_items')
    .where('project_id', '=', owner.project_id)
    .where('plugin_id', '=', owner.plugin_id)
    .where('key', '=', key)

const deleteFromList = (tx: Tx, owner: Owner, key: string) =>
  tx
    .deleteFrom('app_cache_items')
    .where('project_id', '=', owner.project_id)
    .where('plugin_id', '=', owner.plugin_id)
    .where('key', '=', key)

/** Converts indexes with an inclusive end. Negative ones count from the end of the list. */
export function toRange(length: number, start: number, end: number): PageRange {
  const toIndex = (index: number) => (index < 0 ? length + index : index)
  const offset = Math.max(toIndex(start), 0)
  return { offset, limit: Math.max(Math.min(toIndex(end), length - 1) + 1 - offset, 0) }
}

export async function listItems(
  db: Db,
  owner: Owner,
  key: string,
  { offset, limit }: PageRange,
): Promise<string[]> {
  const items = selectItems(db, owner, key).select('value').orderBy('position')
  const rows = await items.limit(limit).offset(offset).execute()
  return rows.map(({ value }) => value)
}

/** Prepends each value to the list, one after another. */
export async function addItems(
  tx: Tx,
  owner: Owner,
  key: string,
  values: readonly string[],
): Promise<void> {
  const first = await selectItems(tx, owner, key)
    .select('position')
    .orderBy('position')
    .limit(1)
    .executeTakeFirst()
  const before = first?.position ?? 0
  const rows = values.map((value, index) => ({
    ...owner,
    key,
    position: before - 1 - index,
    value,
  }))
  await tx.insertInto('app_cache_items').values(rows).execute()
}

export async function deleteItems(tx: Tx, owner: Owner, key: string): Promise<void> {
  await deleteFromList(tx, owner, key).execute()
}

/** Deletes the first `count` occurrences of a value, the last ones if it is negative, or all if it is 0. Returns how many. */
export async function deleteItem(
  tx: Tx,
  owner: Owner,
  key: string,
  { value, count }: { readonly value: string; readonly count: number },
): Promise<number> {
  const found = selectItems(tx, owner, key)
    .select('position')
    .where('value', '=', value)
    .orderBy('position', count < 0 ? 'desc' : 'asc')
    .$if(count !== 0, (query) => query.limit(Math.abs(count)))
  const { numDeletedRows } = await deleteFromList(tx, owner, key)
    .where('position', 'in', found)
    .executeTakeFirstOrThrow()
  return Number(numDeletedRows)
}

/** Removes the first items and returns them. */
export async function takeItems(
  tx: Tx,
  owner: Owner,
  key: string,
  count: number,
): Promise<string[]> {
  const first = selectItems(tx, owner, key).select('position').orderBy('position').limit(count)
  const taken = await deleteFromList(tx, owner, key)
    .where('position', 'in', first)
    .returning(['position', 'value'])
    .execute()
  return taken.sort((a, b) => a.position - b.position).map(({ value }) => value)
}
