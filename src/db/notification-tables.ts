import type { Generated } from 'kysely'
import type { Flag, Json, Time } from './values.ts'

type Target = 'webhook' | 'email'

/** What watches insights, what sends them, and what is sent. */
export interface AlertTables {
  alerts: {
    id: Generated<number>
    /** What callers know it by. */
    uuid: string
    project_id: number
    insight_id: number
    name: string
    enabled: Flag
    condition: Json
    threshold: Json
    config: Json
    targets: Json
    /** Sealed. */
    signing_secret: string
    calculation_interval: 'hourly' | 'daily' | 'weekly'
    snoozed_until: Time | null
    state: 'Not firing' | 'Firing' | 'Errored' | 'Snoozed'
    /** Whether the last that was sent out said that it fires: an error in between must not say so twice. */
    is_told: Flag
    last_checked_at: Time | null
    last_value: number | null
    last_error: string | null
    /** When what it was last checked against was computed: an older result that comes late says nothing. */
    measured_at: Time
    /** While it is checked: when another may try, should whoever checks it die. */
    next_check_at: Time
    created_by: number | null
    created_at: Time
  }
  subscriptions: {
    id: Generated<number>
    project_id: number
    /** Of these two, one. */
    insight_id: number | null
    dashboard_id: number | null
    title: string
    enabled: Flag
    frequency: 'daily' | 'weekly' | 'monthly'
    /** In the project's time zone. */
    hour: number
    target_type: Target
    target_value: string
    /** Sealed. */
    signing_secret: string
    next_delivery_date: Time
    /** Set while its results are gathered: until then nobody else does. */
    claimed_until: Time | null
    created_by: number | null
    created_at: Time
  }
  /** The queue, and the log of it. */
  deliveries: {
    id: string
    project_id: number
    /** Of these two, one. */
    alert_id: number | null
    subscription_id: number | null
    event: 'alert.firing' | 'alert.resolved' | 'subscription' | 'test'
    target_type: Target
    target: string
    payload: Json
    state: 'queued' | 'delivered' | 'failed'
    /** How often it was begun. */
    attempt: number
    /** null: never again. While it is being sent: when another may try, should whoever sends it die. */
    next_attempt_at: Time | null
    /** Of a webhook, the last time. */
    response_status: number | null
    error: string
    created_at: Time
    delivered_at: Time | null
  }
}
