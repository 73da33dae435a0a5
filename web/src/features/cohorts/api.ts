import {
  queryOptions,
  useMutation,
  useQueries,
  useQuery,
  useQueryClient,
} from '@tanstack/react-query'
import type { Static } from 'typebox'
import type { Cohort, CohortCreate, CohortPatch } from '#server/features/events/cohorts/schema.ts'
import type { Person } from '#server/features/events/person-rows/schema.ts'
import { api } from '../../api/client.ts'
import { useProjectId } from '../../api/project.ts'
import { refreshLists } from '../../ui/list/pages.ts'
import type { TrashSearch } from '../../ui/list/trash-search.ts'
import { usePages } from '../../ui/list/use-pages.ts'

export type { Cohort }

export const toCohortsPath = (projectId: number): string => `/api/projects/${projectId}/cohorts`

const listKey = (projectId: number) => ['cohorts', projectId] as const
const cohortKey = (projectId: number, id: number) => ['cohort', projectId, id] as const

export function useCohorts({ search, view }: TrashSearch) {
  const projectId = useProjectId()
  const query = { search, deleted: view === 'trash' || undefined }
  return usePages<Cohort>([...listKey(projectId), query], toCohortsPath(projectId), query)
}

const toCohortQuery = (projectId: number, id: number) =>
  queryOptions({
    queryKey: cohortKey(projectId, id),
    queryFn: () => api.get<Cohort>(`${toCohortsPath(projectId)}/${id}`),
  })

export const useCohort = (id: number) => useQuery(toCohortQuery(useProjectId(), id))

/** Returns the cohorts that have been loaded and exist. */
export function useCohortsById(ids: readonly number[]): readonly Cohort[] {
  const projectId = useProjectId()
  const found = useQueries({ queries: ids.map((id) => toCohortQuery(projectId, id)) })
  return found.flatMap(({ data }) => data ?? [])
}

/** Counts the persons who match filters that are not saved; idle without filters. */
export function useCohortCount(filters: object | undefined) {
  const path = `${toCohortsPath(useProjectId())}/count`
  return useQuery({
    queryKey: ['cohort-count', path, filters],
    enabled: filters !== undefined,
    queryFn: async () => (await api.post<{ count: number }>(path, { filters })).count,
  })
}

export function useCohortPersons(id: number, search: string | undefined) {
  const projectId = useProjectId()
  const path = `${toCohortsPath(projectId)}/${id}/persons`
  return usePages<Static<typeof Person>>([...cohortKey(projectId, id), 'persons', search], path, {
    search,
  })
}

/** A form carries a CSV file of members. */
export type NewCohort = CohortCreate | FormData

export function useCreateCohort() {
  const client = useQueryClient()
  const projectId = useProjectId()
  return useMutation({
    mutationFn: (cohort: NewCohort) => api.post<Cohort>(toCohortsPath(projectId), cohort),
    onSuccess: () => refreshLists(client, listKey(projectId)),
    meta: { showsError: true },
  })
}

/** Removes a person from a static cohort, or adds one back. */
export function useChangeMember(id: number) {
  const projectId = useProjectId()
  const onSuccess = useCohortChanged(id)
  const path = `${toCohortsPath(projectId)}/${id}`
  return useMutation({
    mutationFn: ({ uuid, isMember }: { readonly uuid: string; readonly isMember: boolean }) =>
      isMember
        ? api.patch<Cohort>(`${path}/add_persons_to_static_cohort`, { person_ids: [uuid] })
        : api.patch<Cohort>(`${path}/remove_person_from_static_cohort`, { person_id: uuid }),
    onSuccess,
  })
}

/** Returns a function that shows a cohort as the server has changed it. */
function useCohortChanged(id: number) {
  const client = useQueryClient()
  const projectId = useProjectId()
  return (cohort: Cohort) => {
    client.setQueryData(cohortKey(projectId, id), cohort)
    void client.invalidateQueries({ queryKey: [...cohortKey(projectId, id), 'persons'] })
    void refreshLists(client, listKey(projectId))
  }
}

export function useUpdateCohort(id: number, { showsError = false } = {}) {
  const projectId = useProjectId()
  const onSuccess = useCohortChanged(id)
  return useMutation({
    mutationFn: (patch: CohortPatch) =>
      api.patch<Cohort>(`${toCohortsPath(projectId)}/${id}`, patch),
    onSuccess,
    meta: { showsError },
  })
}
