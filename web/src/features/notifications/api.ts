import { queryOptions, useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { listOf } from '#model/json.ts'
import type { TrendSeries } from '#model/query-results.ts'
import { nameSeries } from '#model/series-names.ts'
import type {
  Alert,
  AlertCreate,
  AlertPatch,
} from '#server/features/notifications/alerts/schema.ts'
import type { Delivery } from '#server/features/notifications/deliveries/schema.ts'
import type {
  Subscription,
  SubscriptionCreate,
  SubscriptionPatch,
} from '#server/features/notifications/subscriptions/schema.ts'
import { api, type ListPage } from '../../api/client.ts'
import { useProjectId } from '../../api/project.ts'

/** Alerts and subscriptions share one API shape for deliveries. */
export type NotificationKind = 'alerts' | 'subscriptions'

export type NotificationId = string | number

const notificationsPath = (projectId: number, kind: NotificationKind) =>
  `/api/projects/${projectId}/${kind}`

/** The insight, dashboard or import that notifications are about. */
export interface Subject {
  readonly insight?: number
  readonly dashboard?: number
  /** The ID of an import app's config. */
  readonly config?: number
  readonly name: string
}

function notificationsQuery<Item>(
  kind: NotificationKind,
  projectId: number,
  { insight, dashboard, config }: Partial<Subject> = {},
) {
  const path = notificationsPath(projectId, kind)
  return queryOptions({
    queryKey: [kind, projectId, { insight, dashboard, config }],
    queryFn: () => api.get<ListPage<Item>>(path, { insight, dashboard, config, limit: 1000 }),
  })
}

const alertsQuery = (projectId: number, of?: Subject) =>
  notificationsQuery<Alert>('alerts', projectId, of)

export const useAlerts = (of?: Subject) => useQuery(alertsQuery(useProjectId(), of))

/** Lists the IDs of the insights whose alerts fire now. */
export function useFiringInsights(): readonly number[] {
  const projectId = useProjectId()
  const { data } = useQuery({
    ...alertsQuery(projectId),
    refetchInterval: 60_000,
    select: ({ results }) =>
      results.flatMap(({ enabled, state, insight }) =>
        enabled && state === 'Firing' && insight ? [insight.id] : [],
      ),
  })
  return data ?? []
}

export const useSubscriptions = (of?: Subject) =>
  useQuery(notificationsQuery<Subscription>('subscriptions', useProjectId(), of))

/** A row shows the newest delivery, the log more. Polls while one is queued. */
export const deliveriesQuery = (
  projectId: number,
  kind: NotificationKind,
  id: NotificationId,
  limit: number,
) =>
  queryOptions({
    queryKey: ['deliveries', projectId, kind, id, limit],
    queryFn: () =>
      api.get<ListPage<Delivery>>(`${notificationsPath(projectId, kind)}/${id}/deliveries`, {
        limit,
      }),
    refetchInterval: ({ state }) =>
      state.data?.results.some((delivery) => delivery.state === 'queued') ? 2000 : false,
  })

function useInvalidate(kind: NotificationKind) {
  const client = useQueryClient()
  return () =>
    Promise.all([
      client.invalidateQueries({ queryKey: [kind] }),
      client.invalidateQueries({ queryKey: ['deliveries'] }),
    ])
}

/** Creates a notification, or updates the one with this ID. Only a new one returns its secret. */
function useSaveNotification<Sent>(kind: NotificationKind, id: NotificationId | undefined) {
  const projectId = useProjectId()
  const onSuccess = useInvalidate(kind)
  return useMutation({
    mutationFn: (sent: Sent): Promise<{ readonly signing_secret?: string }> =>
      id === undefined
        ? api.post(notificationsPath(projectId, kind), sent)
        : api.patch(`${notificationsPath(projectId, kind)}/${id}`, sent),
    meta: { showsError: true },
    onSuccess,
  })
}

export const useSaveAlert = (id: string | undefined) =>
  useSaveNotification<AlertCreate | AlertPatch>('alerts', id)

export const useSaveSubscription = (id: number | undefined) =>
  useSaveNotification<SubscriptionCreate | SubscriptionPatch>('subscriptions', id)

export function usePatchNotification(kind: NotificationKind) {
  const projectId = useProjectId()
  const onSettled = useInvalidate(kind)
  return useMutation({
    mutationFn: ({ id, patch }: { id: NotificationId; patch: AlertPatch }) =>
      api.patch(`${notificationsPath(projectId, kind)}/${id}`, patch),
    onSettled,
  })
}

export function useDeleteNotification(kind: NotificationKind) {
  const projectId = useProjectId()
  const onSuccess = useInvalidate(kind)
  return useMutation({
    mutationFn: (id: NotificationId) => api.delete(`${notificationsPath(projectId, kind)}/${id}`),
    onSuccess,
  })
}

export function useSendTest(kind: NotificationKind) {
  const projectId = useProjectId()
  const onSuccess = useInvalidate(kind)
  return useMutation({
    mutationFn: (id: NotificationId) =>
      api.post<Delivery[]>(`${notificationsPath(projectId, kind)}/${id}/test`),
    onSuccess,
  })
}

export function useRotateSecret(kind: NotificationKind) {
  const projectId = useProjectId()
  return useMutation({
    mutationFn: (id: NotificationId) =>
      api.post<{ signing_secret: string }>(
        `${notificationsPath(projectId, kind)}/${id}/rotate_secret`,
      ),
  })
}

export function useRetryDelivery(kind: NotificationKind, id: NotificationId) {
  const projectId = useProjectId()
  const onSettled = useInvalidate(kind)
  return useMutation({
    mutationFn: (delivery: string) =>
      api.post<Delivery>(
        `${notificationsPath(projectId, kind)}/${id}/deliveries/${delivery}/retry`,
      ),
    onSettled,
  })
}

interface NamedInsight {
  readonly id: number
  readonly short_id: string
  readonly name: string
  readonly derived_name: string | null
  readonly query: object
}

export function useInsightOptions(search: string) {
  const projectId = useProjectId()
  return useQuery({
    queryKey: ['insights', projectId, 'named', search],
    queryFn: () =>
      api.get<ListPage<NamedInsight>>(`/api/environments/${projectId}/insights`, {
        search: search || undefined,
        limit: 50,
        basic: true,
      }),
  })
}

/** Names of an insight's series in its cached result. Alerts do not count series of the previous period. */
export function useSeriesNames(insight: string | null) {
  const projectId = useProjectId()
  return useQuery({
    queryKey: ['insights', projectId, 'lines', insight],
    queryFn: () =>
      api.get<{ result: unknown }>(`/api/environments/${projectId}/insights/${insight}`, {
        refresh: 'force_cache',
      }),
    enabled: insight !== null,
    select: ({ result }) =>
      nameSeries(listOf<TrendSeries>(result).filter(({ data }) => data !== undefined)) // steps and cohorts are no series
        .filter(({ isPrevious }) => !isPrevious)
        .map(({ name }) => name),
  })
}
