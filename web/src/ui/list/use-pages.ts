import { type QueryKey, useInfiniteQuery } from '@tanstack/react-query'
import { api, type ListPage } from '../../api/client.ts'
import { nextOffset, PAGE_SIZE, refetchIfShort } from './pages.ts'

/** An API list, one page at a time. The previous result stays until the new one arrives. */
export const usePages = <Item>(
  queryKey: QueryKey,
  path: string,
  query: Parameters<typeof api.get>[1],
  /** Milliseconds until the next poll of these items. */
  toInterval?: (items: readonly Item[]) => number,
) =>
  useInfiniteQuery({
    queryKey,
    queryFn: ({ pageParam }) =>
      api.get<ListPage<Item>>(path, { ...query, limit: PAGE_SIZE, offset: pageParam || undefined }),
    initialPageParam: 0,
    getNextPageParam: nextOffset,
    placeholderData: (previous) => previous,
    staleTime: 0,
    // a long list takes too long to poll
    refetchInterval: (listed) =>
      toInterval !== undefined &&
      refetchIfShort(listed as never) &&
      toInterval((listed.state.data?.pages ?? []).flatMap(({ results }) => results)),
    refetchOnMount: refetchIfShort as never,
    refetchOnWindowFocus: refetchIfShort as never,
  })
