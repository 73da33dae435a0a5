import { LRUCache } from 'lru-cache'
import type { Grant } from '#server/access/guard.ts'
import type { PageRange, Slice } from '#server/db/page-range.ts'
import type { Db } from '#server/db/schema.ts'
import type { JsonText } from '#server/http/json-text.ts'
import { listDashboards, toItemTexts } from './dashboards.ts'
import { type DashboardListFilters, listDashboardRows, listVersions } from './list-store.ts'
import { findDashboard, type ListedRow } from './store.ts'

const MAX_BYTES = 4 * 1024 * 1024
/** More are faster to read at once. */
const MAX_READ_SINGLY = 8

/** The JSON of dashboards in lists, by caller and version. */
export type KeptItems = LRUCache<string, JsonText>

export const createKeptItems = (): KeptItems =>
  new LRUCache({
    maxSize: MAX_BYTES,
    sizeCalculation: (text, key) => (text.length + key.length) * 2,
  })

/** Tells whether a list is in the default order and of all dashboards, or all in the trash. */
export const isWhole = (filters: DashboardListFilters): boolean =>
  Object.keys(filters).every((name) => name === 'deleted')

interface WholeList {
  readonly deleted?: boolean | undefined
  readonly range: PageRange
}

/**
 * Lists all dashboards, and reads and writes only those that have changed since the caller saw them. Each change of a
 * project, and each new result, makes its lists stale, but hardly any of their items.
 */
export async function listKeptItems(
  { db, items }: { readonly db: Db; readonly items: KeptItems },
  { caller, entry }: Grant,
  { deleted = false, range }: WholeList,
): Promise<Slice<JsonText>> {
  const toKey = ({ id, version }: Pick<ListedRow, 'id' | 'version'>) =>
    `${caller.userId}.${entry.access}.${id}.${version}`
  const { count, results: listed } = await listVersions(db, caller.projectId, deleted, range)
  const changed = listed.filter((each) => !items.has(toKey(each)))
  const rows =
    changed.length > MAX_READ_SINGLY
      ? (await listDashboardRows(db, caller, { deleted }, range)).results
      : await Promise.all(changed.map(({ id }) => findDashboard(db, caller, id)))
  const found = rows.filter((row) => row !== undefined)
  const texts = await toItemTexts(db, caller, found)
  for (const [index, row] of found.entries()) items.set(toKey(row), texts[index] as JsonText)
  const results = listed.flatMap((each) => items.get(toKey(each)) ?? [])
  // an item may have changed again since its version was read
  if (results.length < listed.length) return listDashboards(db, caller, { deleted }, range)
  return { count, results }
}
