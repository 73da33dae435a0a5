import { useInfiniteQuery } from '@tanstack/react-query'
import dayjs from 'dayjs'
import type { ListedEvent } from '#server/features/events/events/schema.ts'
import { api, type ListPage } from '../../api/client.ts'
import { useProjectId } from '../../api/project.ts'
import type { EventFilters } from './search.ts'

export type { ListedEvent }

const PAGE_SIZE = 50

export const toEventsPath = (projectId: number): string => `/api/projects/${projectId}/events`

export interface EventFilter extends EventFilters {
  /** The `uuid` of a person: events of all its distinct IDs. */
  readonly person_id?: string
}

/** Rounds to minutes, so repeated queries have the same key. */
export const toEventFilter = ({ hours, properties, action, ...filter }: EventFilter) => ({
  ...filter,
  action_id: action,
  properties: properties && JSON.stringify(properties),
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
