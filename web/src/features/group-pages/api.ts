import { useInfiniteQuery, useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import type { Static } from 'typebox'
import type { Group as GroupSchema, GroupType } from '#server/features/events/groups/schema.ts'
import { api, withQuery } from '../../api/client.ts'
import { useProjectId } from '../../api/project.ts'
import type { PropertyChange } from '../persons/api.ts'
import type { GroupsSearch } from './search.ts'

export type Group = Static<typeof GroupSchema>
export type GroupId = Pick<Group, 'group_type_index' | 'group_key'>

const PAGE_SIZE = 100

export const toGroupsPath = (projectId: number): string => `/api/projects/${projectId}/groups`

interface GroupPage {
  readonly next: string | null
  readonly results: readonly Group[]
}

export type GroupFilters = Pick<GroupsSearch, 'search' | 'properties'>

/** Lists groups of a type, newest first, page by page. */
export function useGroups(index: number, { search, properties }: GroupFilters) {
  const path = toGroupsPath(useProjectId())
  return useInfiniteQuery({
    queryKey: ['groups', path, index, search, properties],
    queryFn: ({ pageParam: cursor }) =>
      api.get<GroupPage>(path, {
        ...{ group_type_index: index, search, cursor, limit: PAGE_SIZE },
        properties: properties && JSON.stringify(properties),
      }),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: ({ next }) => next && new URL(next).searchParams.get('cursor'),
    placeholderData: (previous, query) => (query?.queryKey[2] === index ? previous : undefined),
  })
}

const groupKey = (path: string, id: GroupId) => ['group', path, id] as const

export function useGroup(id: GroupId) {
  const path = toGroupsPath(useProjectId())
  return useQuery({
    queryKey: groupKey(path, id),
    queryFn: () => api.get<Group>(`${path}/find`, { ...id }),
  })
}

/** Sets or deletes one property. */
export function useChangeGroup(id: GroupId, { showsError = false } = {}) {
  const client = useQueryClient()
  const path = toGroupsPath(useProjectId())
  return useMutation({
    mutationFn: (change: PropertyChange) => {
      const verb = '$unset' in change ? 'delete_property' : 'update_property'
      return api.post<Group>(withQuery(`${path}/${verb}`, { ...id }), change)
    },
    onSuccess: (changed) => {
      client.setQueryData(groupKey(path, id), changed)
      void client.invalidateQueries({ queryKey: ['groups', path] })
      void client.invalidateQueries({ queryKey: ['activity'] })
    },
    meta: { showsError },
  })
}

/** Returns the name of a group, or else its key. */
export function toGroupName({ group_properties: { name }, group_key }: Group): string {
  return typeof name === 'string' && name.trim() !== '' ? name : group_key
}

export const toTypeName = ({ name_plural, group_type }: GroupType): string =>
  name_plural || group_type
