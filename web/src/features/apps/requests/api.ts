import { useMutation, useQuery } from '@tanstack/react-query'
import type { PipelineConfigSettings } from '#server/features/import-apps/configs/schema.ts'
import type { Run } from '#server/features/import-apps/runs/schema.ts'
import type {
  WebhookAddress,
  WebhookRequest,
  WebhookRequestDetails,
} from '#server/features/import-apps/webhooks/schema.ts'
import { api, type ListPage } from '../../../api/client.ts'
import { useProjectId } from '../../../api/project.ts'
import { usePages } from '../../../ui/list/use-pages.ts'
import { isUnfinished, runPath } from '../api.ts'
import { allKeys, BUSY_MS, configKey, configPath, runsKey } from '../keys.ts'

export type RequestState = WebhookRequest['state']

const POLL_MS = 10_000
/** A test of one request takes about a second. */
const TEST_POLL_MS = 500

const addressKey = (projectId: number, id: number) => [...configKey(projectId, id), 'address']
const requestsKey = (projectId: number, id: number) => [...configKey(projectId, id), 'requests']

export function useAddress(id: number) {
  const projectId = useProjectId()
  return useQuery({
    queryKey: addressKey(projectId, id),
    queryFn: () => api.get<WebhookAddress>(`${configPath(projectId, id)}/address`),
  })
}

export function useReplaceAddress(id: number) {
  const projectId = useProjectId()
  return useMutation({
    mutationFn: (grace_seconds: number) =>
      api.post<WebhookAddress>(`${configPath(projectId, id)}/address/rotate`, { grace_seconds }),
    meta: { stale: [addressKey(projectId, id)], showsError: true },
  })
}

/** Reads the requests, newest first. The first one and what waits are expected soon. */
export function useRequests(id: number, state: RequestState | undefined) {
  const projectId = useProjectId()
  return usePages<WebhookRequest>(
    [...requestsKey(projectId, id), { state }],
    `${configPath(projectId, id)}/requests`,
    { state },
    (requests) =>
      requests.every(isHandled) && (requests.length > 0 || state !== undefined) ? POLL_MS : BUSY_MS,
  )
}

const isHandled = ({ state }: WebhookRequest): boolean => state !== 'waiting'

export function useFailedCount(id: number): number {
  const projectId = useProjectId()
  const { data } = useQuery({
    queryKey: [...requestsKey(projectId, id), 'failed'],
    queryFn: () =>
      api.get<ListPage<WebhookRequest>>(`${configPath(projectId, id)}/requests`, {
        state: 'failed',
        limit: 1,
      }),
    refetchInterval: POLL_MS,
  })
  return data?.count ?? 0
}

export function useRequest(id: number, requestId: number) {
  const projectId = useProjectId()
  return useQuery({
    queryKey: [...requestsKey(projectId, id), requestId],
    queryFn: () =>
      api.get<WebhookRequestDetails>(`${configPath(projectId, id)}/requests/${requestId}`),
    refetchInterval: ({ state: { data } }) => (data && !isHandled(data) ? BUSY_MS : false),
  })
}

export const useReplayFailed = (id: number) =>
  useReplay(id, (_: undefined) => ['replay', { state: 'failed' }])

export const useReplayRequest = (id: number) =>
  useReplay(id, (requestId: number) => [`${requestId}/replay`])

function useReplay<Of>(id: number, toCall: (of: Of) => readonly [path: string, body?: object]) {
  const projectId = useProjectId()
  return useMutation({
    mutationFn: (of: Of) => {
      const [path, body] = toCall(of)
      return api.post<{ replayed: number }>(`${configPath(projectId, id)}/requests/${path}`, body)
    },
    meta: { stale: [requestsKey(projectId, id), runsKey(projectId, id)] },
  })
}

export function useTestRequest(id: number) {
  const projectId = useProjectId()
  return useMutation({
    mutationFn: (requestId: number) =>
      api.post<Run>(`${configPath(projectId, id)}/requests/${requestId}/test`),
    meta: { stale: [runsKey(projectId, id)] },
  })
}

/** Reads a run until it has ended. */
export function useRun(run: Run) {
  const projectId = useProjectId()
  return useQuery({
    queryKey: [...runsKey(projectId, run.config_id), run.id],
    queryFn: () => api.get<Run>(runPath(projectId, run)),
    refetchInterval: ({ state: { data } }) => (!data || isUnfinished(data) ? TEST_POLL_MS : false),
  })
}

/** Changes some settings and keeps the others. */
export function usePatchSettings(id: number) {
  const projectId = useProjectId()
  return useMutation({
    mutationFn: (settings: Readonly<Record<string, unknown>>) =>
      api.patch<PipelineConfigSettings>(`${configPath(projectId, id)}/settings`, { settings }),
    meta: { stale: allKeys(projectId) },
  })
}
