import type { Alert } from '#server/features/notifications/alerts/schema.ts'
import type { Delivery } from '#server/features/notifications/deliveries/schema.ts'
import type { Subscription } from '#server/features/notifications/subscriptions/schema.ts'
import { ME } from './fixtures.ts'

const AT = '2026-01-05T10:00:00.000Z'

/** Fires when insight 1, "Orders", is above 2. */
export const alert = (fields: Partial<Alert> = {}): Alert => ({
  id: '00000000-0000-4000-8000-000000000001',
  insight: { id: 1, short_id: 'orders01', name: 'Orders' },
  source: { kind: 'insight', insight: 1 },
  on: null,
  resource_name: 'Orders',
  name: 'Many orders',
  enabled: true,
  condition: { type: 'absolute_value' },
  threshold: { configuration: { type: 'absolute', bounds: { upper: 2, lower: null } } },
  config: {},
  targets: [{ type: 'webhook', url: 'https://example.com/first' }],
  subscribed_users: [],
  calculation_interval: 'hourly',
  skip_weekend: false,
  snoozed_until: null,
  state: 'Not firing',
  last_checked_at: AT,
  next_check_at: null,
  last_value: 1,
  usual_range: null,
  last_error: null,
  created_at: AT,
  created_by: ME,
  ...fields,
})

/** Sends dashboard 1, "Shop", every Monday. */
export const subscription = (fields: Partial<Subscription> = {}): Subscription => ({
  id: 1,
  insight: null,
  dashboard: 1,
  resource_name: 'Shop',
  title: '',
  enabled: true,
  frequency: 'weekly',
  hour: 9,
  target_type: 'webhook',
  target_value: 'https://example.com/hook',
  next_delivery_date: AT,
  created_at: AT,
  created_by: ME,
  ...fields,
})

/** A test message that was delivered. */
export const delivery = (fields: Partial<Delivery> = {}): Delivery => ({
  id: '00000000-0000-4000-8000-000000000009',
  event: 'test',
  target: { type: 'webhook', url: 'https://example.com/first' },
  state: 'delivered',
  attempt: 1,
  next_attempt_at: null,
  response_status: 200,
  error: '',
  created_at: AT,
  delivered_at: AT,
  ...fields,
})
