import {
  keepPreviousData,
  queryOptions,
  useMutation,
  useQuery,
  useQueryClient,
} from '@tanstack/react-query'
import type {
  Migrated,
  PipelineConfig,
  PipelineConfigPatch,
} from '#server/features/import-apps/configs/schema.ts'
import type {
  LogEntry,
  Metrics,
  Run,
  RunPreview,
} from '#server/features/import-apps/runs/schema.ts'
import { api, type ListPage, withQuery } from '../../api/client.ts'
import { useProjectId } from '../../api/project.ts'
import {
  allKeys,
  BUSY_MS,
  configKey,
  configPath,
  configsPath,
  IDLE_MS,
  listKey,
  metricsKey,
  runsKey,
} from './keys.ts'

export const RUNS_SHOWN = 25
const LINES_SHOWN = 200

export const isUnfinished = ({ state }: Pick<Run, 'state'>): boolean =>
  state === 'queued' || state === 'running'

const configsQuery = (projectId: number, deleted: boolean) =>
  queryOptions({
    queryKey: [...listKey(projectId), { deleted }],
    queryFn: async () =>
      (await api.get<ListPage<PipelineConfig>>(configsPath(projectId), { deleted, limit: 1000 }))
        .results,
    refetchInterval: deleted ? false : IDLE_MS,
  })

/** Configs in display order. */
export const useConfigs = () => useQuery(configsQuery(useProjectId(), false))

export const useTrashedConfigs = () => useQuery(configsQuery(useProjectId(), true))

export function useConfig(id: number) {
  const projectId = useProjectId()
  return useQuery({
    queryKey: configKey(projectId, id),
    queryFn: () => api.get<PipelineConfig>(configPath(projectId, id)),
  })
}

export function useRuns(id: number, offset = 0) {
  const projectId = useProjectId()
  const limit = RUNS_SHOWN
  return useQuery({
    queryKey: [...runsKey(projectId, id), { offset, limit }],
    queryFn: () => api.get<ListPage<Run>>(`${configPath(projectId, id)}/runs`, { limit, offset }),
    placeholderData: keepPreviousData,
    refetchInterval: ({ state }) => (state.data?.results.some(isUnfinished) ? BUSY_MS : IDLE_MS),
  })
}

const RUNS_IN_STRIP = 60

/** Reads the last runs for the strip above the list. */
export const runHistoryQuery = (projectId: number, id: number) =>
  queryOptions({
    queryKey: [...runsKey(projectId, id), 'strip'],
    queryFn: () =>
      api.get<ListPage<Run>>(`${configPath(projectId, id)}/runs`, {
        limit: RUNS_IN_STRIP,
        dry_run: false,
      }),
    refetchInterval: IDLE_MS,
  })

/** Reads the newest run that is not a test. */
export function useLastRun(id: number): Run | undefined {
  const projectId = useProjectId()
  const { data } = useQuery({
    queryKey: [...runsKey(projectId, id), 'last'],
    queryFn: () =>
      api.get<ListPage<Run>>(`${configPath(projectId, id)}/runs`, { limit: 1, dry_run: false }),
    refetchInterval: ({ state }) => (state.data?.results.some(isUnfinished) ? BUSY_MS : IDLE_MS),
  })
  return data?.results[0]
}

export const runPath = (projectId: number, { config_id, id }: Run): string =>
  `${configPath(projectId, config_id)}/runs/${id}`

export function useRunPreview(run: Run) {
  const projectId = useProjectId()
  return useQuery({
    queryKey: [...configKey(projectId, run.config_id), 'preview', run.id],
    queryFn: () => api.get<RunPreview>(`${runPath(projectId, run)}/preview`),
    staleTime: Number.POSITIVE_INFINITY, // a finished run never changes
  })
}

export function useMetrics(id: number) {
  const projectId = useProjectId()
  return useQuery({
    queryKey: metricsKey(projectId, id),
    queryFn: () => api.get<Metrics>(`${configPath(projectId, id)}/metrics`),
    refetchInterval: IDLE_MS,
    staleTime: 0,
  })
}

export interface LogFilter {
  readonly types: readonly LogEntry['type'][]
  readonly search: string
}

/** Reads the log, newest line first. `useLive` streams later lines. */
export function useLogs(id: number, { types, search }: LogFilter) {
  const projectId = useProjectId()
  return useQuery({
    queryKey: [...configKey(projectId, id), 'logs', { types, search }],
    queryFn: () => {
      const repeated = new URLSearchParams(types.map((type) => ['type_filter', type])).toString()
      const path = withQuery(`${configPath(projectId, id)}/logs`, {
        limit: LINES_SHOWN,
        search: search || undefined,
      })
      return api.get<ListPage<LogEntry>>(repeated ? `${path}&${repeated}` : path)
    },
    placeholderData: keepPreviousData,
    staleTime: 0,
  })
}

/** A finished run changes the config's error and metrics. */
export function useRefreshStats(id: number): () => void {
  const client = useQueryClient()
  const projectId = useProjectId()
  return () => {
    void client.invalidateQueries({ queryKey: metricsKey(projectId, id) })
    void client.invalidateQueries({ queryKey: listKey(projectId) })
  }
}

export function useAddConfig() {
  const projectId = useProjectId()
  return useMutation({
    mutationFn: (plugin: number) =>
      api.post<PipelineConfig>(configsPath(projectId), { plugin, enabled: false }),
    meta: { stale: allKeys(projectId) },
  })
}

export function usePatchConfig(id: number) {
  const projectId = useProjectId()
  return useMutation({
    mutationFn: (patch: PipelineConfigPatch) =>
      api.patch<PipelineConfig>(configPath(projectId, id), patch),
    meta: { stale: allKeys(projectId) },
  })
}

export interface SettingsChange {
  /** Every setting that is not a file; omitted ones are removed, except secrets. */
  readonly settings: Readonly<Record<string, unknown>>
  readonly files: Readonly<Record<string, File>>
  readonly removed: readonly string[]
  readonly enabled?: boolean
}

/** Sends settings and files in one multipart request, so they are saved together or not at all. */
export function useSaveSettings(id: number) {
  const projectId = useProjectId()
  return useMutation({
    mutationFn: ({ settings, files, removed, enabled }: SettingsChange) => {
      const form = new FormData()
      form.set('config', JSON.stringify(settings))
      if (enabled !== undefined) form.set('enabled', String(enabled))
      for (const [key, file] of Object.entries(files)) form.set(`add_attachment[${key}]`, file)
      for (const key of removed) form.set(`remove_attachment[${key}]`, 'true')
      return api.patch<PipelineConfig>(configPath(projectId, id), form)
    },
    meta: { showsError: true, stale: allKeys(projectId) },
  })
}

/** Permanently deletes a config in the trash. */
export function useRemoveConfig() {
  const projectId = useProjectId()
  return useMutation({
    mutationFn: (id: number) => api.delete(configPath(projectId, id)),
    meta: { stale: allKeys(projectId) },
  })
}

/** Optimistic: shows the new order immediately and reverts it on error. */
export function useRearrange() {
  const projectId = useProjectId()
  const client = useQueryClient()
  const { queryKey } = configsQuery(projectId, false)
  return useMutation({
    mutationFn: (ids: readonly number[]) =>
      api.patch<PipelineConfig[]>(`${configsPath(projectId)}/rearrange`, {
        orders: Object.fromEntries(ids.map((id, index) => [id, index + 1])),
      }),
    onMutate: async (ids) => {
      await client.cancelQueries({ queryKey })
      const before = client.getQueryData(queryKey)
      const place = new Map(ids.map((id, index) => [id, index]))
      client.setQueryData(queryKey, (configs) =>
        configs?.toSorted((a, b) => (place.get(a.id) ?? 0) - (place.get(b.id) ?? 0)),
      )
      return { before }
    },
    onError: (_problem, _ids, context) => client.setQueryData(queryKey, context?.before),
    onSuccess: (configs) => client.setQueryData(queryKey, configs),
  })
}

export interface JobCall {
  /** Without a job, runs the only one. */
  readonly job?: { readonly type: string; readonly payload: Readonly<Record<string, unknown>> }
  /** Whether to store nothing. */
  readonly isTest?: boolean
}

export function useRunJob(id: number, { showsError = false } = {}) {
  const projectId = useProjectId()
  return useMutation({
    mutationFn: ({ job, isTest }: JobCall) =>
      api.post<Run>(`${configPath(projectId, id)}/job`, { job, dry_run: isTest || undefined }),
    meta: { showsError, stale: [runsKey(projectId, id)] },
  })
}

export function useRunAction(id: number, action: 'cancel' | 'retry') {
  const projectId = useProjectId()
  return useMutation({
    mutationFn: (run: string) =>
      api.post<Run>(`${configPath(projectId, id)}/runs/${run}/${action}`, {}),
    meta: { stale: [runsKey(projectId, id)] },
  })
}

export function useMigrate(id: number) {
  const projectId = useProjectId()
  return useMutation({
    mutationFn: () => api.post<Migrated>(`${configPath(projectId, id)}/migrate`, {}),
    meta: { stale: allKeys(projectId) },
  })
}
