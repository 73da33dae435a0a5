import { keepPreviousData, useQuery } from '@tanstack/react-query'
import type { Static } from 'typebox'
import type { QueryResponse } from '#server/features/results/schema.ts'
import { api } from '../../api/client.ts'
import { useProjectId } from '../../api/project.ts'

type Response = Static<typeof QueryResponse>

/** Runs a query of the page. The last result stays until the next one arrives. */
export function useWebQuery(query: object) {
  const projectId = useProjectId()
  return useQuery({
    queryKey: ['web-query', projectId, query],
    queryFn: () => api.post<Response>(`/api/projects/${projectId}/query`, { query }),
    placeholderData: keepPreviousData,
    staleTime: 30_000,
  })
}

const LIVE = {
  kind: 'HogQLQuery',
  query:
    "select count(distinct person_id) from events where event in ('$pageview', '$screen') and timestamp > now() - interval 5 minute",
}
const LIVE_MS = 15_000

/** Counts the visitors who viewed a page in the last five minutes, again and again. */
export function useLiveVisitors(): number | undefined {
  const projectId = useProjectId()
  const { data } = useQuery({
    queryKey: ['live-visitors', projectId],
    queryFn: () => api.post<Response>(`/api/projects/${projectId}/query`, { query: LIVE }),
    refetchInterval: LIVE_MS,
  })
  const count = (data?.results as readonly (readonly unknown[])[] | undefined)?.[0]?.[0]
  return count === undefined ? undefined : Number(count)
}
