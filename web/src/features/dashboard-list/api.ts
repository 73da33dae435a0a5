import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { toCopyName } from '#model/copy-name.ts'
import type {
  Dashboard,
  DashboardListItem,
  DashboardWrite,
} from '#server/features/dashboards/dashboards/schema.ts'
import type { Sharing } from '#server/features/dashboards/sharing/schema.ts'
import type { UsedTag } from '#server/features/dashboards/tag-store.ts'
import { api, type ListPage } from '../../api/client.ts'
import { useProjectId } from '../../api/project.ts'
import { useMe } from '../../api/session.ts'
import { refreshLists, removeItem, replaceItem } from '../../ui/list/pages.ts'
import { usePages } from '../../ui/list/use-pages.ts'
import type { DashboardListSearch } from './search.ts'

export type DashboardItem = DashboardListItem

const dashboardsPath = (projectId: number, rest = '') =>
  `/api/environments/${projectId}/dashboards${rest}`
const dashboardsKey = (projectId: number) => ['dashboards', projectId] as const

export function useDashboards(search: DashboardListSearch) {
  const projectId = useProjectId()
  const me = useMe()
  return usePages<DashboardItem>(
    [...dashboardsKey(projectId), 'list', search],
    dashboardsPath(projectId),
    {
      ...toQuery(search, me.uuid),
      with_modified: true,
    },
  )
}

const toQuery = ({ search, tags, view, sort }: DashboardListSearch, myUuid: string) => ({
  search,
  tags,
  deleted: view === 'trash' || undefined,
  pinned: view === 'pinned' || undefined,
  is_shared: view === 'shared' || undefined,
  created_by: view === 'mine' ? myUuid : undefined,
  // in the trash the latest deletion comes first
  order: sort ?? (view === 'trash' ? '-last_modified_at' : undefined),
})

export function useDashboardTags() {
  const projectId = useProjectId()
  return useQuery({
    queryKey: ['dashboard-tags', projectId],
    queryFn: () => api.get<UsedTag[]>(dashboardsPath(projectId, '/tags')),
  })
}

/** Finds up to 20 dashboards by name. */
export function useDashboardSearch(search: string) {
  const projectId = useProjectId()
  return useQuery({
    queryKey: ['dashboard-choice', projectId, search],
    queryFn: () =>
      api.get<ListPage<DashboardItem>>(dashboardsPath(projectId), {
        search: search || undefined,
        limit: 20,
      }),
    placeholderData: (before) => before,
  })
}

/** Refreshes every dashboard list after a creation. */
function useCreate<Input, Created>(create: (projectId: number, input: Input) => Promise<Created>) {
  const client = useQueryClient()
  const projectId = useProjectId()
  return useMutation({
    mutationFn: (input: Input) => create(projectId, input),
    onSuccess: () => {
      void refreshLists(client, dashboardsKey(projectId))
      void client.invalidateQueries({ queryKey: ['dashboard-tags', projectId] })
    },
    meta: { showsError: true },
  })
}

export const useCreateDashboard = () =>
  useCreate((projectId, sent: DashboardWrite) =>
    api.post<Dashboard>(dashboardsPath(projectId), sent),
  )

export const useCreateFromJson = () =>
  useCreate((projectId, template: object) =>
    api.post<Dashboard>(dashboardsPath(projectId, '/create_from_template_json'), { template }),
  )

/** Copies the tiles' insights too, so editing the copy does not change the original. */
export function useDuplicateListed() {
  const create = useCreateDashboard()
  return ({ id, name, description, tags }: DashboardItem) =>
    create.mutateAsync({
      name: toCopyName(name),
      description,
      tags: [...tags],
      use_dashboard: id,
      duplicate_tiles: true,
    })
}

interface Change {
  readonly ids: readonly number[]
  readonly change: (id: number) => DashboardWrite
}

/** Updates dashboards one at a time; each shows as soon as it is saved. */
export function useUpdateDashboards({ showsError = false } = {}) {
  const client = useQueryClient()
  const projectId = useProjectId()
  const key = [...dashboardsKey(projectId), 'list']
  return useMutation({
    mutationFn: async ({ ids, change }: Change) => {
      for (const id of ids) {
        const sent = change(id)
        const changed = await api.patch<Dashboard>(dashboardsPath(projectId, `/${id}`), sent)
        if (sent.deleted !== undefined) removeItem(client, key, id)
        else replaceItem<DashboardItem>(client, key, id, toItemChange(changed))
      }
    },
    onSettled: () => {
      void refreshLists(client, key)
      void client.invalidateQueries({ queryKey: ['dashboard-tags', projectId] })
      void client.invalidateQueries({ queryKey: ['dashboard'] })
    },
    meta: { showsError },
  })
}

const toItemChange = ({ name, description, pinned, tags }: Dashboard): Partial<DashboardItem> => ({
  name,
  description,
  pinned,
  tags,
})

/** Fetches the public link of a dashboard. */
export function useShareLink() {
  const projectId = useProjectId()
  return async (id: number): Promise<string> => {
    const { access_token } = await api.get<Sharing>(dashboardsPath(projectId, `/${id}/sharing`))
    return `${location.origin}/shared/${access_token}`
  }
}
