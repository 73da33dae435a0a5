import type { Migration } from '../migrate.ts'

/**
 * Finds requests by state in an index. The state comes behind the content in a row, so that counting the waiting ones
 * of 10,000 rows took 50 ms.
 */
export const webhookStates: Migration = {
  name: '0105-webhook-states',
  up: () => [
    `create index webhook_requests_state on webhook_requests (config_id, state, id)`,
    `drop index webhook_requests_waiting`,
  ],
}
