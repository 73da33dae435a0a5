import { queryOptions, useQuery } from '@tanstack/react-query'
import type { Alert } from '#server/features/notifications/alerts/schema.ts'
import type { Subscription } from '#server/features/notifications/subscriptions/schema.ts'
import { api, type ListPage } from '../../api/client.ts'
import { useIsViewer, useProjectId } from '../../api/project.ts'

/** Alerts and subscriptions share one API shape for deliveries. */
export type NotificationKind = 'alerts' | 'subscriptions'

export type NotificationId = string | number

export const notificationsPath = (projectId: number, kind: NotificationKind) =>
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
    enabled: !useIsViewer(),
    select: ({ results }) =>
      results.flatMap(({ enabled, state, insight }) =>
        enabled && state === 'Firing' && insight ? [insight.id] : [],
      ),
  })
  return data ?? []
}

export const useSubscriptions = (of?: Subject) =>
  useQuery(notificationsQuery<Subscription>('subscriptions', useProjectId(), of))
