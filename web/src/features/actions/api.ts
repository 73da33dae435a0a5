import { queryOptions, useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import type { ActionStep } from '#model/action-step.schema.ts'
import { toActionRules } from '#model/actions.ts'
import type { Action, ActionCreate, ActionPatch } from '#server/features/events/actions/schema.ts'
import type { ListedEvent } from '#server/features/events/events/schema.ts'
import { api, type ListPage } from '../../api/client.ts'
import { useProjectId } from '../../api/project.ts'
import { refreshLists } from '../../ui/list/pages.ts'
import type { TrashSearch } from '../../ui/list/trash-search.ts'
import { usePages } from '../../ui/list/use-pages.ts'

export type { Action, ActionStep }

const toPath = (projectId: number): string => `/api/projects/${projectId}/actions`

const listKey = (projectId: number) => ['actions', projectId] as const
const actionKey = (projectId: number, id: number) => ['action', projectId, id] as const

export function useActions({ search, view }: TrashSearch) {
  const projectId = useProjectId()
  const query = { search, deleted: view === 'trash' || undefined }
  return usePages<Action>([...listKey(projectId), query], toPath(projectId), query)
}

const MAX_CHOICES = 1000

const choicesQuery = (projectId: number) =>
  queryOptions({
    queryKey: ['action-choices', projectId],
    queryFn: async () =>
      (await api.get<ListPage<Action>>(toPath(projectId), { limit: MAX_CHOICES })).results,
  })

/** Reads the actions for a picker. */
export const useActionChoices = ({ enabled = true }: { readonly enabled?: boolean } = {}) =>
  useQuery({ ...choicesQuery(useProjectId()), enabled })

export function useAction(id: number) {
  const projectId = useProjectId()
  return useQuery({
    queryKey: actionKey(projectId, id),
    queryFn: () => api.get<Action>(`${toPath(projectId)}/${id}`),
  })
}

/** Creates an action, or changes the one with the ID. */
export function useSaveAction(id?: number) {
  const client = useQueryClient()
  const projectId = useProjectId()
  const path = toPath(projectId)
  return useMutation({
    mutationFn: (body: ActionCreate | ActionPatch) =>
      id === undefined ? api.post<Action>(path, body) : api.patch<Action>(`${path}/${id}`, body),
    onSuccess: (action) => {
      client.setQueryData(actionKey(projectId, action.id), action)
      void client.invalidateQueries({ queryKey: choicesQuery(projectId).queryKey })
      void refreshLists(client, listKey(projectId))
    },
    meta: { showsError: true },
  })
}

const SHOWN = 20

/** Reads the newest events that match steps, which need not be saved; idle without steps. */
export function useMatchingEvents(steps: readonly ActionStep[]) {
  const path = `/api/projects/${useProjectId()}/events`
  const { event, rules } = toActionRules(steps)
  const query = { event: event ?? undefined, properties: JSON.stringify(rules), limit: SHOWN }
  return useQuery({
    queryKey: ['matching-events', path, query],
    enabled: steps.length > 0,
    queryFn: async () =>
      (await api.get<Pick<ListPage<ListedEvent>, 'results'>>(path, query)).results,
  })
}
