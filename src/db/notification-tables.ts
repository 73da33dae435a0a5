import type { Generated } from 'kysely'
import type { Flag, Json, Time } from './values.ts'

type Target = 'webhook' | 'email'

type NotificationEvent =
  | 'alert.firing'
  | 'alert.resolved'
  | 'import.failed'
  | 'import.stale'
  | 'import.skipped'
  | 'import.schema_changed'
  | 'import.recovered'
  | 'subscription'
  | 'test'

/** Alerts, subscriptions and their deliveries. */
export interface NotificationTables {
  alerts: {
    id: Generated<number>
    /** The ID that the API shows. */
    uuid: string
    project_id: number
    /** Exactly one of these two is set. */
    insight_id: number | null
    config_id: number | null
    name: string
    enabled: Flag
    condition: Json
    threshold: Json
    config: Json
    targets: Json
    /** Encrypted. */
    signing_secret: string
    /** The IDs of users who get an e-mail. */
    subscribed_users: Generated<Json>
    calculation_interval: 'hourly' | 'daily' | 'weekly' | 'monthly'
    skip_weekend: Generated<Flag>
    snoozed_until: Time | null
    state: 'Not firing' | 'Firing' | 'Errored' | 'Snoozed'
    /** Whether the last notification said that the alert fires; an error in between must not repeat it. */
    is_told: Flag
    /** The problems of an import to notify about; null for an insight. */
    watches: Json | null
    /** The problems of an import that it has notified about and that are not over. */
    incidents: Generated<Json>
    last_checked_at: Time | null
    last_value: number | null
    usual_range: Json | null
    last_error: string | null
    /** When the last checked result was computed. An older result that arrives later is ignored. */
    measured_at: Time
    /** During a check, the time at which another worker may take over. */
    next_check_at: Time
    created_by: number | null
    created_at: Time
  }
  subscriptions: {
    id: Generated<number>
    project_id: number
    /** Exactly one of these two is set. */
    insight_id: number | null
    dashboard_id: number | null
    title: string
    enabled: Flag
    frequency: 'daily' | 'weekly' | 'monthly'
    /** In the project's time zone. */
    hour: number
    target_type: Target
    target_value: string
    /** Encrypted. */
    signing_secret: string
    next_delivery_date: Time
    /** Set while a worker prepares a delivery. Others wait until then. */
    claimed_until: Time | null
    created_by: number | null
    created_at: Time
  }
  /** The queue of deliveries, and their log. */
  deliveries: {
    id: string
    project_id: number
    /** Exactly one of these two is set. */
    alert_id: number | null
    subscription_id: number | null
    event: NotificationEvent
    target_type: Target
    target: string
    /** The body that a webhook gets; null for e-mail. */
    target_format: 'json' | 'slack' | 'teams' | null
    payload: Json
    state: 'queued' | 'delivered' | 'failed'
    /** The number of attempts. */
    attempt: number
    /** null when no attempt remains. During an attempt, the time at which another worker may take over. */
    next_attempt_at: Time | null
    /** The webhook's last response. */
    response_status: number | null
    error: string
    created_at: Time
    delivered_at: Time | null
  }
}
