import { keepPreviousData, queryOptions, useQuery } from '@tanstack/react-query'
import type {
  EventDefinition,
  PropertyDefinition,
  PropertyValue,
} from '#server/features/events/definitions/schema.ts'
import { api, type ListPage } from '../../api/client.ts'
import { useProjectId } from '../../api/project.ts'

export type { EventDefinition, PropertyDefinition, PropertyValue }

const MAX_NAMES = 200
/** The server caches definitions for the same time. */
const CACHED = { staleTime: 60_000, placeholderData: keepPreviousData }

/** Event names for a picker, verified and most frequent first, without hidden ones. */
export const eventDefinitionsQuery = (projectId: number, search = '') => {
  const path = `/api/projects/${projectId}/event_definitions`
  return queryOptions({
    ...CACHED,
    queryKey: ['event-definitions', path, search],
    queryFn: async () => {
      const query = { search: search || undefined, exclude_hidden: true, limit: MAX_NAMES }
      return (await api.get<ListPage<EventDefinition>>(path, query)).results
    },
  })
}

export const useEventDefinitions = (search?: string) =>
  useQuery(eventDefinitionsQuery(useProjectId(), search))

interface PropertyNameFilter {
  readonly type?: PropertyDefinition['type']
  readonly event?: string | null | undefined
  readonly search?: string
}

/** Property names of all events, of one, of persons or of sessions, without hidden ones. */
export const propertyDefinitionsQuery = (
  projectId: number,
  { type = 'event', event, search = '' }: PropertyNameFilter = {},
) => {
  const path = `/api/projects/${projectId}/property_definitions`
  return queryOptions({
    ...CACHED,
    queryKey: ['property-definitions', path, type, event ?? '', search],
    queryFn: async () => {
      const query = {
        ...{ type, event, search: search || undefined },
        ...{ exclude_hidden: true, limit: MAX_NAMES },
      }
      return (await api.get<ListPage<PropertyDefinition>>(path, query)).results
    },
  })
}

export const usePropertyDefinitions = (filter: PropertyNameFilter, { enabled = true } = {}) =>
  useQuery({ ...propertyDefinitionsQuery(useProjectId(), filter), enabled })

interface PropertyValueFilter extends Pick<PropertyNameFilter, 'type' | 'event'> {
  readonly key: string
  readonly value?: string
}

/** Reads frequent values of a property; idle without a key. */
export function usePropertyValues({ type = 'event', key, event, value = '' }: PropertyValueFilter) {
  const path = `/api/projects/${useProjectId()}/property_values`
  return useQuery({
    ...CACHED,
    queryKey: ['property-values', path, type, key, event ?? '', value],
    enabled: key !== '',
    queryFn: async () => {
      const query = { type, key, event, value: value || undefined }
      return (await api.get<{ results: readonly PropertyValue[] }>(path, query)).results
    },
  })
}
