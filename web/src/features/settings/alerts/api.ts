import { queryOptions, useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import type {
  Alert,
  AlertCreate,
  AlertPatch,
  AlertWithSecret,
} from '../../../../../src/features/alerts/schema.ts'
import type { Delivery } from '../../../../../src/features/deliveries/schema.ts'
import type { Subscription } from '../../../../../src/features/subscriptions/schema.ts'
import { api, type Page } from '../../../api/client.ts'
import { useProjectId } from '../../../api/project.ts'

/** Alerts and subscriptions differ in what they are, not in what they send. */
export type Kind = 'alerts' | 'subscriptions'

const at = (projectId: number, kind: Kind) => `/api/projects/${projectId}/${kind}`

export function useAlerts() {
  const projectId = useProjectId()
  return useQuery({
    queryKey: ['alerts', projectId],
    queryFn: () => api.get<Page<Alert>>(at(projectId, 'alerts'), { limit: 1000 }),
  })
}

export function useSubscriptions() {
  const projectId = useProjectId()
  return useQuery({
    queryKey: ['subscriptions', projectId],
    queryFn: () => api.get<Page<Subscription>>(at(projectId, 'subscriptions'), { limit: 1000 }),
  })
}

/** What stands in a row is the newest; the log asks for more. While something is on its way it is asked again. */
export const deliveriesQuery = (
  projectId: number,
  kind: Kind,
  id: string | number,
  limit: number,
) =>
  queryOptions({
    queryKey: ['deliveries', projectId, kind, id, limit],
    queryFn: () => api.get<Page<Delivery>>(`${at(projectId, kind)}/${id}/deliveries`, { limit }),
    refetchInterval: ({ state }) =>
      state.data?.results.some((delivery) => delivery.state === 'queued') ? 2000 : false,
  })

function useRefreshing(kind: Kind) {
  const client = useQueryClient()
  return () =>
    Promise.all([
      client.invalidateQueries({ queryKey: [kind] }),
      client.invalidateQueries({ queryKey: ['deliveries'] }),
    ])
}

export function useCreateAlert() {
  const projectId = useProjectId()
  const onSuccess = useRefreshing('alerts')
  return useMutation({
    mutationFn: (sent: AlertCreate) => api.post<AlertWithSecret>(at(projectId, 'alerts'), sent),
    meta: { showsProblem: true },
    onSuccess,
  })
}

export function usePatchNotice(kind: Kind) {
  const projectId = useProjectId()
  const onSettled = useRefreshing(kind)
  return useMutation({
    mutationFn: ({ id, patch }: { id: string | number; patch: AlertPatch }) =>
      api.patch(`${at(projectId, kind)}/${id}`, patch),
    onSettled,
  })
}

export function useDeleteNotice(kind: Kind) {
  const projectId = useProjectId()
  const onSuccess = useRefreshing(kind)
  return useMutation({
    mutationFn: (id: string | number) => api.delete(`${at(projectId, kind)}/${id}`),
    onSuccess,
  })
}

export function useTestNotice(kind: Kind) {
  const projectId = useProjectId()
  const onSuccess = useRefreshing(kind)
  return useMutation({
    mutationFn: (id: string | number) => api.post<Delivery[]>(`${at(projectId, kind)}/${id}/test`),
    onSuccess,
  })
}

export function useRotateSecret(kind: Kind) {
  const projectId = useProjectId()
  return useMutation({
    mutationFn: (id: string | number) =>
      api.post<{ signing_secret: string }>(`${at(projectId, kind)}/${id}/rotate_secret`),
  })
}

export function useRetryDelivery(kind: Kind, id: string | number) {
  const projectId = useProjectId()
  const onSettled = useRefreshing(kind)
  return useMutation({
    mutationFn: (delivery: string) =>
      api.post<Delivery>(`${at(projectId, kind)}/${id}/deliveries/${delivery}/retry`),
    onSettled,
  })
}

interface NamedInsight {
  readonly id: number
  readonly short_id: string
  readonly name: string
  readonly derived_name: string | null
}

export function useInsights(search: string) {
  const projectId = useProjectId()
  return useQuery({
    queryKey: ['insights', projectId, 'named', search],
    queryFn: () =>
      api.get<Page<NamedInsight>>(`/api/environments/${projectId}/insights`, {
        search: search || undefined,
        limit: 50,
        basic: true,
      }),
  })
}
