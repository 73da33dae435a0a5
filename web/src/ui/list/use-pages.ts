import { type QueryKey, useInfiniteQuery } from '@tanstack/react-query'
import { api, type Page } from '../../api/client.ts'
import { offsetAfter, PAGE, refetchIfShort } from './pages.ts'

/** A list of the server's, a page at a time. What was shown stays until what was asked for instead is there. */
export const usePages = <Item>(
  queryKey: QueryKey,
  path: string,
  query: Parameters<typeof api.get>[1],
) =>
  useInfiniteQuery({
    queryKey,
    queryFn: ({ pageParam }) =>
      api.get<Page<Item>>(path, { ...query, limit: PAGE, offset: pageParam || undefined }),
    initialPageParam: 0,
    getNextPageParam: offsetAfter,
    placeholderData: (before) => before,
    staleTime: 0,
    refetchOnMount: refetchIfShort as never,
    refetchOnWindowFocus: refetchIfShort as never,
  })
