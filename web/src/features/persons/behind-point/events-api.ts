import { useInfiniteQuery } from '@tanstack/react-query'
import { api } from '../../../api/client.ts'
import { useProjectId } from '../../../api/project.ts'
import type { ListedEvent } from '../../events/api.ts'

interface EventPerson {
  readonly uuid: string
  readonly name: string
  readonly properties: Readonly<Record<string, unknown>>
  readonly is_identified: boolean
  /** null for a visitor without a profile, who has no page. */
  readonly created_at: string | null
}

export type PointEvent = readonly [
  event: Omit<ListedEvent, 'id'> & { readonly uuid: string },
  person: EventPerson,
]

interface EventsPage {
  readonly results: readonly PointEvent[]
  readonly hasMore: boolean
}

const PAGE_SIZE = 50
/** The maximum that the server sends in one response. */
const MAX_PAGE_SIZE = 1000
/** Further events take the server as long as all before them. */
export const MAX_EXPORTED = 10_000

const fetchPage = (projectId: number, source: object, range: object): Promise<EventsPage> =>
  api.post<EventsPage>(`/api/projects/${projectId}/query`, {
    query: { kind: 'EventsQuery', source, select: ['*', 'person'], ...range },
  })

/** Reads events, newest first. A page of large events may be shorter than requested. */
export function usePointEvents(source: object) {
  const projectId = useProjectId()
  return useInfiniteQuery({
    queryKey: ['point-events', projectId, source],
    queryFn: ({ pageParam }) =>
      fetchPage(projectId, source, { limit: PAGE_SIZE, offset: pageParam }),
    initialPageParam: 0,
    getNextPageParam: ({ hasMore }, pages) =>
      hasMore ? pages.reduce((sum, { results }) => sum + results.length, 0) : undefined,
    retry: false,
  })
}

/** Fetches the newest events, page by page. */
export async function fetchNewestEvents(projectId: number, source: object): Promise<PointEvent[]> {
  const rows: PointEvent[] = []
  for (let hasMore = true; hasMore && rows.length < MAX_EXPORTED; ) {
    const page = await fetchPage(projectId, source, { limit: MAX_PAGE_SIZE, offset: rows.length })
    rows.push(...page.results)
    hasMore = page.hasMore && page.results.length > 0
  }
  return rows
}
