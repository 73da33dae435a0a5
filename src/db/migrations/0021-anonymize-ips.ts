import type { Migration } from '../migrate.ts'

/** A project can keep the addresses of senders out of its events. */
export const anonymizeIps: Migration = {
  name: '0021-anonymize-ips',
  up: ({ int }) => [`alter table projects add column anonymize_ips ${int} not null default 0`],
}
