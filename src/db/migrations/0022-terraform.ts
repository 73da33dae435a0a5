import type { Migration } from '../migrate.ts'

/** The fields of alerts, tiles and insights that PostHog's Terraform provider manages. */
export const terraform: Migration = {
  name: '0022-terraform',
  up: ({ int, text }) => [
    `alter table alerts add column subscribed_users ${text} not null default '[]'`,
    `alter table alerts add column skip_weekend ${int} not null default 0`,
    `alter table tiles add column show_description ${int}`,
    `alter table insights add column folder ${text}`,
  ],
}
