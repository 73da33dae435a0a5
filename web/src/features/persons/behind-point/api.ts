import { useInfiniteQuery } from '@tanstack/react-query'
import { api } from '../../../api/client.ts'
import { useProjectId } from '../../../api/project.ts'

export interface Actor {
  readonly type: 'person' | 'group'
  /** The person's UUID, or the group's key. */
  readonly id: string
  readonly name: string
  /** Absent from groups. */
  readonly distinct_ids?: readonly string[]
  readonly properties: Readonly<Record<string, unknown>>
  /** null for a visitor without a profile, who has no page. */
  readonly created_at: string | null
  /** Absent from groups. */
  readonly is_identified?: boolean
}

export type ActorRow = readonly [actor: Actor, events: number]

interface ActorsPage {
  readonly results: readonly ActorRow[]
  readonly hasMore: boolean
}

const PAGE_SIZE = 100
/** The maximum that the server sends in one response. */
const MAX_PAGE_SIZE = 1000

export const toActorsQuery = (source: object) =>
  ({ kind: 'ActorsQuery', source, select: ['actor', 'event_count'] }) as const

const fetchPage = (projectId: number, query: object): Promise<ActorsPage> =>
  api.post<ActorsPage>(`/api/projects/${projectId}/query`, { query })

export function useActors(source: object, search: string | undefined) {
  const projectId = useProjectId()
  return useInfiniteQuery({
    queryKey: ['actors', projectId, source, search],
    queryFn: ({ pageParam }) =>
      fetchPage(projectId, {
        ...toActorsQuery(source),
        limit: PAGE_SIZE,
        offset: pageParam,
        ...(search !== undefined && { search }),
      }),
    initialPageParam: 0,
    getNextPageParam: ({ hasMore }, pages) => (hasMore ? pages.length * PAGE_SIZE : undefined),
    placeholderData: (previous, query) => (query?.queryKey[2] === source ? previous : undefined),
    retry: false,
  })
}

/** Fetches all persons or groups, page by page. */
export async function fetchAllActors(projectId: number, source: object): Promise<ActorRow[]> {
  const rows: ActorRow[] = []
  for (let hasMore = true; hasMore; ) {
    const range = { limit: MAX_PAGE_SIZE, offset: rows.length }
    const page = await fetchPage(projectId, { ...toActorsQuery(source), ...range })
    rows.push(...page.results)
    hasMore = page.hasMore && page.results.length > 0
  }
  return rows
}
