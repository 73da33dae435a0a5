import { useMutation, useQueryClient } from '@tanstack/react-query'
import type {
  EventDefinition,
  PropertyDefinition,
  PropertyDefinitionPatch,
} from '#server/features/events/definitions/schema.ts'
import { api } from '../../api/client.ts'
import { useProjectId } from '../../api/project.ts'
import { refreshLists } from '../../ui/list/pages.ts'
import { usePages } from '../../ui/list/use-pages.ts'
import type { DataSearch, Tab } from './search.ts'

export type { PropertyDefinitionPatch }
export type Definition = EventDefinition | PropertyDefinition

export const isEvent = (definition: Definition): definition is EventDefinition =>
  'volume_30_day' in definition

const toPath = (projectId: number, tab: Tab): string =>
  `/api/projects/${projectId}/${tab === 'events' ? 'event' : 'property'}_definitions`

const listKey = (projectId: number) => ['definitions', projectId] as const

export function useDefinitions({ tab = 'events', search, view }: DataSearch) {
  const projectId = useProjectId()
  const query = {
    search,
    verified: view === 'verified' || undefined,
    type: tab === 'person-properties' ? 'person' : undefined,
  }
  return usePages<Definition>([...listKey(projectId), tab, query], toPath(projectId, tab), query)
}

export function useUpdateDefinition(tab: Tab, { id }: Definition) {
  const projectId = useProjectId()
  const client = useQueryClient()
  return useMutation({
    mutationFn: (patch: PropertyDefinitionPatch) =>
      api.patch<Definition>(`${toPath(projectId, tab)}/${id}`, patch),
    onSuccess: () => {
      // pickers show the same names
      for (const key of ['event-definitions', 'property-definitions']) {
        void client.invalidateQueries({ queryKey: [key] })
      }
      return refreshLists(client, listKey(projectId))
    },
    meta: { showsError: true },
  })
}
