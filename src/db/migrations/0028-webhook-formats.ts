import type { Migration } from '../migrate.ts'

/** A delivery to Slack or Teams has their format. Old ones have JSON. */
export const webhookFormats: Migration = {
  name: '0028-webhook-formats',
  up: ({ text }) => [
    `alter table deliveries add column target_format ${text}`,
    `update deliveries set target_format = 'json' where target_type = 'webhook'`,
  ],
}
