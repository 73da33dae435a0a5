import { useMutation } from '@tanstack/react-query'
import type { Me } from '#server/features/people/projects/schema.ts'
import { api, type ListPage } from '../../api/client.ts'

const APP = 'Demo data'
const EVENTS = 20_000

interface Identified {
  readonly id: number
}

/** Uses public API calls only: adds an import app, runs its job, creates a dashboard from a template. */
async function loadDemo(): Promise<string> {
  const me = await api.get<Me>('/api/users/@me')
  const project = me.team?.id
  const plugins = await api.get<ListPage<Identified & { name: string }>>(
    '/api/organizations/@current/plugins',
  )
  const plugin = plugins.results.find(({ name }) => name === APP)
  if (!plugin) throw new Error(`The import app "${APP}" is not installed.`)
  const configs = `/api/projects/${project}/pipeline_import_apps_configs`
  const config = await api.post<Identified>(configs, {
    plugin: plugin.id,
    name: APP,
    enabled: true,
  })
  await api.post(`${configs}/${config.id}/job`, {
    job: { type: 'Generate events', payload: { events: EVENTS } },
  })
  const dashboard = await api.post<Identified>(`/api/environments/${project}/dashboards`, {
    name: 'Product overview',
    use_template: 'DEFAULT_APP',
  })
  return `/project/${project}/dashboards/${dashboard.id}`
}

export const useDemo = () => useMutation({ mutationFn: loadDemo, meta: { showsError: true } })
