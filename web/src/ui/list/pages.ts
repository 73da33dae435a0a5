import type { InfiniteData, Query, QueryClient, QueryKey } from '@tanstack/react-query'
import type { ListPage } from '../../api/client.ts'

/** The server's default page size. */
export const PAGE_SIZE = 100

export type Pages<T> = InfiniteData<ListPage<T>, unknown>

export const nextOffset = <T>(
  last: ListPage<T>,
  _all: ListPage<T>[],
  offset: number,
): number | undefined => (last.next === null ? undefined : offset + PAGE_SIZE)

export const totalCount = <T>(pages: Pages<T>): number => pages.pages.at(-1)?.count ?? 0

export const loadedCount = <T>({ pages }: Pages<T>): number =>
  pages.reduce((sum, { results }) => sum + results.length, 0)

/** Refetching more pages than this takes too long; edits are patched into the cache instead. */
const MAX_REFETCHED_PAGES = 3

const isShort = (query: Query): boolean =>
  ((query.state.data as Pages<unknown> | undefined)?.pages.length ?? 0) <= MAX_REFETCHED_PAGES

/** Query option: refetch on return unless the list is long. */
export const refetchIfShort = (query: Query<never, Error, never, never>): boolean =>
  isShort(query as unknown as Query)

/** Patches an item in every cached list; membership in a filtered list is left to the next refetch. */
export function replaceItem<T extends { readonly id: number }>(
  client: QueryClient,
  key: QueryKey,
  id: number,
  change: Partial<T>,
): void {
  editPages<T>(client, key, (item) => (item.id === id ? { ...item, ...change } : item))
}

export function removeItem(client: QueryClient, key: QueryKey, id: number): void {
  editPages<{ readonly id: number }>(client, key, (item) => (item.id === id ? undefined : item))
}

function editPages<T>(client: QueryClient, key: QueryKey, edit: (item: T) => T | undefined): void {
  client.setQueriesData<Pages<T>>({ queryKey: key }, (cached) => {
    if (!cached?.pages) return cached
    let removed = 0
    const pages = cached.pages.map((page) => {
      const results = page.results.flatMap((item) => edit(item) ?? [])
      removed += page.results.length - results.length
      // unchanged pages keep their identity, so only changed rows render again
      return results.every((item, index) => item === page.results[index]) &&
        results.length === page.results.length
        ? page
        : { ...page, results }
    })
    if (removed === 0) return { ...cached, pages }
    return { ...cached, pages: pages.map((page) => ({ ...page, count: page.count - removed })) }
  })
}

/** Refetches short lists and marks long ones stale. */
export async function refreshLists(client: QueryClient, key: QueryKey): Promise<void> {
  await Promise.all([
    client.invalidateQueries({ queryKey: key, predicate: isShort }),
    client.invalidateQueries({ queryKey: key, refetchType: 'none' }),
  ])
}
