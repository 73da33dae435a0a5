import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import type { Static } from 'typebox'
import type { Cohort } from '#server/features/events/cohorts/schema.ts'
import type { Person as PersonSchema } from '#server/features/events/person-rows/schema.ts'
import { api, withQuery } from '../../api/client.ts'
import { useProjectId } from '../../api/project.ts'
import { refreshLists, removeItem, replaceItem } from '../../ui/list/pages.ts'
import { usePages } from '../../ui/list/use-pages.ts'
import type { PersonsSearch } from './search.ts'

export type Person = Static<typeof PersonSchema>

export const toPersonsPath = (projectId: number): string => `/api/projects/${projectId}/persons`

export const toPersonPath = (projectId: number, uuid: string): string =>
  `${toPersonsPath(projectId)}/${encodeURIComponent(uuid)}`

const listKey = (projectId: number) => ['persons', projectId] as const
const personKey = (projectId: number, uuid: string) => ['person', projectId, uuid] as const

export function usePersons(search: PersonsSearch) {
  const projectId = useProjectId()
  return usePages<Person>([...listKey(projectId), search], toPersonsPath(projectId), { ...search })
}

export function usePerson(uuid: string) {
  const projectId = useProjectId()
  return useQuery({
    queryKey: personKey(projectId, uuid),
    queryFn: () => api.get<Person>(toPersonPath(projectId, uuid)),
  })
}

export function usePersonCohorts({ uuid }: Person) {
  const path = `${toPersonsPath(useProjectId())}/cohorts`
  return useQuery({
    queryKey: ['cohorts-of', path, uuid],
    queryFn: async () =>
      (await api.get<{ results: readonly Cohort[] }>(path, { person_id: uuid })).results,
  })
}

export type PropertyChange =
  | { readonly key: string; readonly value: unknown }
  | { readonly $unset: string }

/** Sets or deletes one property. */
export function useChangeProperty(person: Person, { showsError = false } = {}) {
  const client = useQueryClient()
  const projectId = useProjectId()
  const path = toPersonPath(projectId, person.uuid)
  return useMutation({
    mutationFn: (change: PropertyChange) => {
      const verb = '$unset' in change ? 'delete_property' : 'update_property'
      return api.post<Person>(`${path}/${verb}`, change)
    },
    onSuccess: (changed) => {
      client.setQueryData(personKey(projectId, person.uuid), changed)
      replaceItem<Person>(client, listKey(projectId), changed.id, changed)
      void client.invalidateQueries({ queryKey: ['person-of'] })
      void client.invalidateQueries({ queryKey: ['activity', `${path}/activity`] })
    },
    meta: { showsError },
  })
}

export function useSplitPerson(person: Person) {
  const client = useQueryClient()
  const projectId = useProjectId()
  const path = toPersonPath(projectId, person.uuid)
  return useMutation({
    mutationFn: (mainDistinctId: string) =>
      api.post(`${path}/split`, { main_distinct_id: mainDistinctId }),
    onSuccess: async () => {
      void refreshLists(client, listKey(projectId))
      void client.invalidateQueries({ queryKey: ['person-of'] })
      void client.invalidateQueries({ queryKey: ['events'] })
      void client.invalidateQueries({ queryKey: ['activity', `${path}/activity`] })
      await client.invalidateQueries({ queryKey: personKey(projectId, person.uuid) })
    },
    meta: { showsError: true },
  })
}

export function useDeletePerson(person: Person) {
  const client = useQueryClient()
  const projectId = useProjectId()
  return useMutation({
    mutationFn: (withEvents: boolean) => {
      const query = { delete_events: withEvents || undefined }
      return api.delete(withQuery(toPersonPath(projectId, person.uuid), query))
    },
    onSuccess: () => {
      removeItem(client, listKey(projectId), person.id)
      void refreshLists(client, listKey(projectId))
      void client.invalidateQueries({ queryKey: ['person-of'] })
      void client.invalidateQueries({ queryKey: ['events'], refetchType: 'none' })
    },
    meta: { showsError: true },
  })
}
