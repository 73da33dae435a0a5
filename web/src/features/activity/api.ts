import { useInfiniteQuery } from '@tanstack/react-query'
import dayjs from 'dayjs'
import type { Activity, LoggedActivity } from '#server/features/activity/schema.ts'
import { api, type ListPage } from '../../api/client.ts'
import { useProjectId } from '../../api/project.ts'
import type { ActivitySearch } from './search.ts'

const PAGE_SIZE = 50

/** Pages of a project's or an item's activity. */
const useEntries = <Entry extends Activity>(
  path: string,
  filter: Readonly<Record<string, string | undefined>> = {},
) =>
  useInfiniteQuery({
    queryKey: ['activity', path, filter],
    queryFn: ({ pageParam: offset }) =>
      api.get<ListPage<Entry>>(path, { ...filter, limit: PAGE_SIZE, offset }),
    initialPageParam: 0,
    staleTime: 0, // users often open it right after a change
    getNextPageParam: ({ next }, pages) => (next ? pages.length * PAGE_SIZE : undefined),
  })

export const toLogPath = (projectId: number): string => `/api/projects/${projectId}/activity_log`

/** Rounds to days, so repeated queries have the same key. */
export const toFilter = ({ days, ...filter }: ActivitySearch) => ({
  ...filter,
  after: days ? dayjs().subtract(days, 'day').startOf('day').toISOString() : undefined,
})

export const useActivityLog = (search: ActivitySearch) =>
  useEntries<LoggedActivity>(toLogPath(useProjectId()), toFilter(search))

/** Activity of one item, by path: `/api/environments/1/dashboards/5/activity`. */
export const useItemActivity = (path: string, filter?: Readonly<Record<string, string>>) =>
  useEntries<Activity>(path, filter)

export type ActivityList = ReturnType<typeof useActivityLog> | ReturnType<typeof useItemActivity>
