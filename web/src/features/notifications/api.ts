import { queryOptions, useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { listOf } from '#model/json.ts'
import { SHOWN } from '#model/names/row-names.ts'
import { kindOf } from '#model/query-kinds/index.ts'
import type { TrendSeries } from '#model/query-results.ts'
import { nameSeries } from '#model/series-names.ts'
import type { AlertCreate, AlertPatch } from '#server/features/notifications/alerts/schema.ts'
import type { Delivery } from '#server/features/notifications/deliveries/schema.ts'
import type {
  SubscriptionCreate,
  SubscriptionPatch,
} from '#server/features/notifications/subscriptions/schema.ts'
import { api, type ListPage } from '../../api/client.ts'
import { useProjectId } from '../../api/project.ts'
import { type NotificationId, type NotificationKind, notificationsPath } from './lists.ts'

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
      api.get<Watched>(`/api/environments/${projectId}/insights/${insight}`, {
        refresh: 'force_cache',
      }),
    enabled: insight !== null,
    select: listSeries,
  })
}

interface Watched {
  readonly query?: object
  readonly result: unknown
}

/** Joins the texts of a row: the value of a breakdown, or both ends of a link. */
const nameRow = (row: readonly unknown[]): string =>
  row.filter((cell) => typeof cell === 'string').join(' → ') || '(none)'

function listSeries({ query, result }: Watched): readonly string[] {
  const kind = query && kindOf(query)
  if (kind?.alert?.isOfRows) {
    const rows = kind.hasColumns ? { columns: [], results: result } : result
    return kind.toRows(rows, SHOWN).slice(1).map(nameRow)
  }
  return nameSeries(listOf<TrendSeries>(result).filter(({ data }) => data !== undefined)) // steps and cohorts are no series
    .filter(({ isPrevious }) => !isPrevious)
    .map(({ name }) => name)
}
