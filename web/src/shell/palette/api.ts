import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { api, type ListPage } from '../../api/client.ts'
import { useIsViewer } from '../../api/project.ts'

/** More results of one kind would hide the others. */
export const SHOWN = 8
/** More than are shown, so that the best of them can be chosen. */
const LIMIT = 50

interface Named {
  readonly id: number
  readonly name: string | null
}

interface NamedInsight extends Named {
  readonly short_id: string
  readonly derived_name: string | null
}

interface NamedPerson {
  readonly uuid: string
  readonly name: string
}

interface NamedAlert {
  readonly id: string
  readonly name: string
}

interface NamedMember {
  readonly user: {
    readonly first_name: string
    readonly last_name: string
    readonly email: string
  }
}

/** Finds everything with a name. Lists that the server does not search are short. */
export function useSearch(projectId: number, search: string) {
  const isViewer = useIsViewer()
  return useQuery({
    queryKey: ['palette', projectId, search, isViewer],
    queryFn: async () => {
      const [project, environment] = [
        `/api/projects/${projectId}`,
        `/api/environments/${projectId}`,
      ]
      const find = async <T>(path: string, limit = LIMIT) =>
        (await api.get<ListPage<T>>(path, { search, limit })).results
      const filter = async <T extends { readonly name: string | null }>(path: string) =>
        (await api.get<ListPage<T>>(path, { limit: 1000 })).results.filter(({ name }) =>
          name?.toLowerCase().includes(search.toLowerCase()),
        )
      const published = Promise.all([
        find<Named>(`${environment}/dashboards`),
        find<NamedInsight>(`${environment}/insights`),
      ])
      if (isViewer) {
        const [dashboards, insights] = await published
        return { dashboards, insights, apps: [], alerts: [], persons: [], members: [] }
      }
      const [[dashboards, insights], apps, alerts, persons, members] = await Promise.all([
        published,
        filter<Named>(`${project}/pipeline_import_apps_configs`),
        filter<NamedAlert>(`${project}/alerts`),
        find<NamedPerson>(`${project}/persons`, SHOWN),
        find<NamedMember>('/api/organizations/@current/members'),
      ])
      return { dashboards, insights, apps, alerts, persons, members }
    },
    enabled: search.length > 0,
    placeholderData: keepPreviousData,
  })
}
