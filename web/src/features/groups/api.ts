import { useQuery } from '@tanstack/react-query'
import type { GroupPropertyDefinition, GroupType } from '#server/features/events/groups/schema.ts'
import { api } from '../../api/client.ts'
import { useProjectId } from '../../api/project.ts'

const NONE: readonly GroupType[] = []

/** Lists the types of groups of the project; none until they are loaded, or if the user cannot see them. */
export const useGroupTypes = ({ enabled = true } = {}): readonly GroupType[] =>
  useLoadedGroupTypes({ enabled }).types

/** Lists the types of groups, and tells whether they are still being loaded. */
export function useLoadedGroupTypes({ enabled }: { readonly enabled: boolean }) {
  const path = `/api/projects/${useProjectId()}/groups_types`
  const { data = NONE, isPending } = useQuery({
    queryKey: ['group-types', path],
    queryFn: () => api.get<readonly GroupType[]>(path),
    staleTime: 60_000,
    retry: false,
    enabled,
  })
  return { types: data, isLoading: enabled && isPending }
}

type Definitions = Readonly<Record<string, readonly GroupPropertyDefinition[]>>

/** Lists the names of the properties of groups, by the index of their type. */
export function useGroupPropertyNames({ enabled }: { readonly enabled: boolean }) {
  const path = `/api/projects/${useProjectId()}/groups/property_definitions`
  const { data = {}, isPending } = useQuery({
    queryKey: ['group-property-names', path],
    queryFn: () => api.get<Definitions>(path),
    staleTime: 60_000,
    retry: false,
    enabled,
  })
  const namesOf = (index: number): readonly string[] =>
    (data[`${index}`] ?? []).map(({ name }) => name)
  return { namesOf, isLoading: enabled && isPending }
}

interface ValueSearch {
  readonly group_type_index: number
  readonly key: string
  readonly value: string
}

/** Lists the most frequent values of a property of groups; idle without a key. */
export function useGroupPropertyValues(search: ValueSearch): readonly string[] {
  const path = `/api/projects/${useProjectId()}/groups/property_values`
  const { data = [] } = useQuery({
    queryKey: ['group-property-values', path, search],
    queryFn: () => api.get<readonly { readonly name: string }[]>(path, { ...search }),
    staleTime: 60_000,
    retry: false,
    enabled: search.key !== '',
  })
  return data.map(({ name }) => name)
}
