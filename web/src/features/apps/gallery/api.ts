import { queryOptions, useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import type { CatalogApp } from '#server/features/import-apps/catalog/schema.ts'
import type {
  InstalledPlugin,
  PluginInstall,
  PluginSource,
  PluginSourcePatch,
  PluginUse,
} from '#server/features/import-apps/plugins/schema.ts'
import { api, type ListPage } from '../../../api/client.ts'

const PLUGINS = '/api/organizations/@current/plugins'
const CATALOG = '/api/organizations/@current/plugin_catalog'
const KEY = ['plugins']

const pluginsQuery = queryOptions({
  queryKey: [...KEY, 'list'],
  queryFn: async () => (await api.get<ListPage<InstalledPlugin>>(PLUGINS, { limit: 1000 })).results,
})

/** Installed apps; they belong to the organization and all its projects. */
export const useInstalledApps = () => useQuery(pluginsQuery)

/** The category, streams and documentation of apps. */
export const useCatalog = () =>
  useQuery({
    queryKey: [...KEY, 'catalog'],
    queryFn: async () => (await api.get<ListPage<CatalogApp>>(CATALOG, { limit: 1000 })).results,
  })

export const useInstalledApp = (id: number): InstalledPlugin | undefined =>
  useInstalledApps().data?.find((plugin) => plugin.id === id)

export const useSource = (id: number | undefined) =>
  useQuery({
    queryKey: [...KEY, 'source', id],
    queryFn: () => api.get<PluginSource>(`${PLUGINS}/${id}/source`),
    enabled: id !== undefined,
    staleTime: 0,
  })

/** Fetched on demand, since uninstalling needs current counts. */
export function useFetchAppUses(): (id: number) => Promise<readonly PluginUse[]> {
  const client = useQueryClient()
  return (id) =>
    client.fetchQuery({
      queryKey: [...KEY, 'uses', id],
      queryFn: () => api.get<PluginUse[]>(`${PLUGINS}/${id}/uses`),
      staleTime: 0,
    })
}

/** Also refetches configs, which include their app's manifest. */
function useRefreshAll(): () => Promise<unknown> {
  const client = useQueryClient()
  return () =>
    Promise.all([
      client.invalidateQueries({ queryKey: KEY }),
      client.invalidateQueries({ queryKey: ['apps'] }),
    ])
}

export function useInstall() {
  const onSuccess = useRefreshAll()
  return useMutation({
    mutationFn: (input: PluginInstall) => api.post<InstalledPlugin>(PLUGINS, input),
    onSuccess,
    meta: { showsError: true },
  })
}

export function useUpdateSource(id: number) {
  const onSuccess = useRefreshAll()
  return useMutation({
    mutationFn: (patch: PluginSourcePatch) =>
      api.patch<PluginSource>(`${PLUGINS}/${id}/update_source`, patch),
    onSuccess,
    meta: { showsError: true },
  })
}

export function useUpgrade() {
  const onSuccess = useRefreshAll()
  return useMutation({
    mutationFn: (id: number) => api.post<InstalledPlugin>(`${PLUGINS}/${id}/upgrade`, {}),
    onSuccess,
  })
}

export function useCheckForUpdates() {
  const onSuccess = useRefreshAll()
  return useMutation({
    mutationFn: async (id: number) =>
      (await api.get<{ plugin: InstalledPlugin }>(`${PLUGINS}/${id}/check_for_updates`)).plugin,
    onSuccess,
  })
}

export function useUninstall() {
  const onSuccess = useRefreshAll()
  return useMutation({
    mutationFn: (id: number) => api.delete(`${PLUGINS}/${id}`),
    onSuccess,
  })
}
