import type { UsualRange } from '#model/usual-range.ts'

/** The body of a webhook, and the content of a mail. Its fields are part of the interface. */
export type Notification = AlertNotification | ImportNotification | SubscriptionNotification

export interface NamedInsight {
  readonly id: number
  readonly short_id: string
  readonly name: string
}

export interface AlertNotification {
  readonly event: 'alert.firing' | 'alert.resolved' | 'test'
  readonly project_id: number
  readonly alert: { readonly id: string; readonly name: string }
  readonly insight: NamedInsight
  readonly value: number | null
  /** Set for conditions that compare with the interval before. */
  readonly previous_value: number | null
  readonly condition: unknown
  readonly threshold: unknown
  /** Between which values the value would have been no anomaly; null for other conditions. */
  readonly usual_range: UsualRange | null
  readonly checked_at: string | null
  /** The page in the web app, below the service's URL. */
  readonly path: string
}

/** The notification of an alert on an import. */
export interface ImportNotification {
  readonly event:
    | 'import.failed'
    | 'import.stale'
    | 'import.skipped'
    | 'import.schema_changed'
    | 'import.recovered'
    | 'test'
  readonly project_id: number
  readonly alert: { readonly id: string; readonly name: string }
  readonly import: { readonly config: number; readonly name: string }
  /** The reason, or empty. */
  readonly message: string
  readonly since: string | null
  readonly path: string
}

export interface InsightWithResult extends NamedInsight {
  readonly results: unknown
  readonly columns: readonly string[] | null
  readonly last_refresh: string | null
  /** Explains why there are no results. */
  readonly error: string | null
}

export interface SubscriptionNotification {
  readonly event: 'subscription' | 'test'
  readonly project_id: number
  readonly subscription: { readonly id: number; readonly title: string; readonly frequency: string }
  readonly dashboard: { readonly id: number; readonly name: string } | null
  readonly insights: readonly InsightWithResult[]
  readonly path: string
}

export const insightPath = (projectId: number, { short_id }: NamedInsight): string =>
  `/project/${projectId}/insights/${short_id}`

export const importPath = (projectId: number, configId: number): string =>
  `/project/${projectId}/apps/${configId}`

export const dashboardPagePath = (projectId: number, id: number): string =>
  `/project/${projectId}/dashboard/${id}`
