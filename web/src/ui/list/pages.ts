import type { InfiniteData, Query, QueryClient, QueryKey } from '@tanstack/react-query'
import type { Page } from '../../api/client.ts'

/** As many as a server answers with unless told otherwise. */
export const PAGE = 100

export type Pages<T> = InfiniteData<Page<T>, unknown>

export const offsetAfter = <T>(
  last: Page<T>,
  _all: Page<T>[],
  offset: number,
): number | undefined => (last.next === null ? undefined : offset + PAGE)

export const countOf = <T>(pages: Pages<T>): number => pages.pages.at(-1)?.count ?? 0

/** Beyond this, asking for all again takes longer than somebody waits; what they changed is put in place instead. */
const FEW = 3

const isShort = (query: Query): boolean =>
  ((query.state.data as Pages<unknown> | undefined)?.pages.length ?? 0) <= FEW

/** For the options of a list: it is asked for again when it is come back to, unless it is long. */
export const refetchIfShort = (query: Query<never, Error, never, never>): boolean =>
  isShort(query as unknown as Query)

/** Puts what changed into every list that shows it. Whether it still belongs there, the server says. */
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
  client.setQueriesData<Pages<T>>({ queryKey: key }, (known) => {
    if (!known?.pages) return known
    let removed = 0
    const pages = known.pages.map((page) => {
      const results = page.results.flatMap((item) => edit(item) ?? [])
      removed += page.results.length - results.length
      // the same page stays the same, so that only what changed is drawn again
      return results.every((item, index) => item === page.results[index]) &&
        results.length === page.results.length
        ? page
        : { ...page, results }
    })
    if (removed === 0) return { ...known, pages }
    return { ...known, pages: pages.map((page) => ({ ...page, count: page.count - removed })) }
  })
}

/** Lists that were looked through far down keep what they have. */
export async function refreshLists(client: QueryClient, key: QueryKey): Promise<void> {
  await Promise.all([
    client.invalidateQueries({ queryKey: key, predicate: isShort }),
    client.invalidateQueries({ queryKey: key, refetchType: 'none' }),
  ])
}
