import { keepPreviousData, queryOptions, useInfiniteQuery, useQuery } from '@tanstack/react-query'
import dayjs from 'dayjs'
import type {
  EventDefinition,
  PropertyDefinition,
  PropertyValue,
} from '#server/features/events/definitions/schema.ts'
import type { ListedEvent } from '#server/features/events/events/schema.ts'
import { api, type ListPage } from '../../api/client.ts'
import { useProjectId } from '../../api/project.ts'
import type { EventsSearch } from './search.ts'

export type { EventDefinition, ListedEvent, PropertyDefinition, PropertyValue }

const PAGE_SIZE = 50
const MAX_NAMES = 200
/** The server caches definitions for the same time. */
const CACHED = { staleTime: 60_000, placeholderData: keepPreviousData }

export const toEventsPath = (projectId: number): string => `/api/projects/${projectId}/events`

export interface EventFilter extends EventsSearch {
  /** The `uuid` of a person: events of all its distinct IDs. */
  readonly person_id?: string
}

/** Rounds to minutes, so repeated queries have the same key. */
export const toEventFilter = ({ hours, ...filter }: EventFilter) => ({
  ...filter,
  after: hours ? dayjs().subtract(hours, 'hour').startOf('minute').toISOString() : undefined,
})

type EventPage = Pick<ListPage<ListedEvent>, 'next' | 'results'>

/** Reads events, newest first. Older pages are anchored at the newest event shown, so new events do not shift them. */
export function useEvents(search: EventFilter) {
  const path = toEventsPath(useProjectId())
  return useInfiniteQuery({
    queryKey: ['events', path, search],
    queryFn: ({ pageParam }) =>
      api.get<EventPage>(path, {
        ...toEventFilter(search),
        limit: PAGE_SIZE,
        offset: pageParam.offset,
        ...(pageParam.before && { before: pageParam.before }),
      }),
    initialPageParam: { offset: 0, before: undefined as string | undefined },
    getNextPageParam: ({ next }, pages, last) => {
      if (!next) return undefined
      const shown = pages.reduce((sum, { results }) => sum + results.length, 0)
      const newest = pages[0]?.results[0]?.timestamp
      return { offset: shown, before: last.before ?? justAfter(newest) }
    },
  })
}

/** Makes the exclusive bound include the newest event shown. */
const justAfter = (time: string | undefined): string | undefined =>
  time && new Date(Date.parse(time) + 1).toISOString()

/** Event names for a picker, most frequent first. */
export const eventDefinitionsQuery = (projectId: number, search = '') => {
  const path = `/api/projects/${projectId}/event_definitions`
  return queryOptions({
    ...CACHED,
    queryKey: ['event-definitions', path, search],
    queryFn: async () => {
      const query = { search: search || undefined, limit: MAX_NAMES }
      return (await api.get<ListPage<EventDefinition>>(path, query)).results
    },
  })
}

export const useEventDefinitions = (search?: string) =>
  useQuery(eventDefinitionsQuery(useProjectId(), search))

interface PropertyNameFilter {
  readonly type?: 'event' | 'person'
  readonly event?: string | null | undefined
  readonly search?: string
}

/** Property names of all events, of one, or of persons. */
export const propertyDefinitionsQuery = (
  projectId: number,
  { type = 'event', event, search = '' }: PropertyNameFilter = {},
) => {
  const path = `/api/projects/${projectId}/property_definitions`
  return queryOptions({
    ...CACHED,
    queryKey: ['property-definitions', path, type, event ?? '', search],
    queryFn: async () => {
      const query = { type, event, search: search || undefined, limit: MAX_NAMES }
      return (await api.get<ListPage<PropertyDefinition>>(path, query)).results
    },
  })
}

export const usePropertyDefinitions = (filter: PropertyNameFilter) =>
  useQuery(propertyDefinitionsQuery(useProjectId(), filter))

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
