import { type QueryKey, useInfiniteQuery } from '@tanstack/react-query'
import { api, type ListPage } from '../../api/client.ts'
import { nextOffset, PAGE_SIZE, refetchIfShort } from './pages.ts'

/** An API list, one page at a time. The previous result stays until the new one arrives. */
export const usePages = <Item>(
  queryKey: QueryKey,
  path: string,
  query: Parameters<typeof api.get>[1],
) =>
  useInfiniteQuery({
    queryKey,
    queryFn: ({ pageParam }) =>
      api.get<ListPage<Item>>(path, { ...query, limit: PAGE_SIZE, offset: pageParam || undefined }),
    initialPageParam: 0,
    getNextPageParam: nextOffset,
    placeholderData: (previous) => previous,
    staleTime: 0,
    refetchOnMount: refetchIfShort as never,
    refetchOnWindowFocus: refetchIfShort as never,
  })
