import { useQuery } from '@tanstack/react-query'
import type { GroupType } from '#server/features/events/groups/schema.ts'
import { api } from '../../api/client.ts'
import { useProjectId } from '../../api/project.ts'

const NONE: readonly GroupType[] = []

/** Lists the types of groups of the project; none until they are loaded, or if the user cannot see them. */
export function useGroupTypes({ enabled = true } = {}): readonly GroupType[] {
  const path = `/api/projects/${useProjectId()}/groups_types`
  const { data = NONE } = useQuery({
    queryKey: ['group-types', path],
    queryFn: () => api.get<readonly GroupType[]>(path),
    staleTime: 60_000,
    retry: false,
    enabled,
  })
  return data
}
