import { skipToken, useMutation, useQuery } from '@tanstack/react-query'
import { useEffect } from 'react'
import type { Me } from '#server/features/accounts/projects/schema.ts'
import type { Run } from '#server/features/import-apps/runs/schema.ts'
import type { DemoData } from '#server/features/setup/demo/schema.ts'
import { api } from '../../api/client.ts'

const POLL_MS = 400

interface Demo extends DemoData {
  readonly projectId: number
}

async function loadDemo(): Promise<Demo> {
  const projectId = (await api.get<Me>('/api/users/@me')).team?.id ?? 0
  return { projectId, ...(await api.post<DemoData>(`/api/projects/${projectId}/demo_data`)) }
}

const isActive = ({ state }: Run): boolean => state === 'queued' || state === 'running'

/** Loads demo data, follows its import, and opens the dashboard once its results are computed. */
export function useDemo() {
  const load = useMutation({ mutationFn: loadDemo, meta: { showsError: true } })
  const run = useRun(load.data)
  const isLoaded = run.data?.state === 'succeeded'
  const open = useOpenFilled(isLoaded ? load.data : undefined)
  const hasEnded = run.data !== undefined && !isLoaded && !isActive(run.data)
  return {
    start: () => load.mutate(),
    run: run.data,
    /** The import or the dashboard is on its way. */
    isPending: load.isPending || (load.isSuccess && !hasEnded && !run.error && !open.error),
    error:
      load.error ?? run.error ?? open.error ?? (hasEnded ? new Error(run.data?.message) : null),
  }
}

function useRun(demo: Demo | undefined) {
  return useQuery({
    queryKey: ['demo', demo?.run.id],
    queryFn: demo
      ? () =>
          api.get<Run>(
            `/api/projects/${demo.projectId}/pipeline_import_apps_configs/${demo.config_id}/runs/${demo.run.id}`,
          )
      : skipToken,
    ...(demo && { placeholderData: demo.run }),
    refetchInterval: ({ state: { data } }) => (data && !isActive(data) ? false : POLL_MS),
  })
}

function useOpenFilled(demo: Demo | undefined) {
  const path = demo && `${demo.projectId}/dashboards/${demo.dashboard_id}`
  const filled = useQuery({
    queryKey: ['demo', 'results', path],
    queryFn: path ? () => api.get(`/api/environments/${path}`, { refresh: 'blocking' }) : skipToken,
  })
  const isFilled = filled.isSuccess
  useEffect(() => {
    if (isFilled && path) location.assign(`/project/${path}`)
  }, [isFilled, path])
  return filled
}
