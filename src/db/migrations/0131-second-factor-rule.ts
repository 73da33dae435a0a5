import type { Migration } from '../migrate.ts'

/** Since when an organization requires second factors, and which sessions have that of an identity provider. */
export const secondFactorRule: Migration = {
  name: '0131-second-factor-rule',
  up: ({ int, text }) => [
    `alter table organizations add column second_factor_required_at ${text}`,
    `alter table organizations add column second_factor_grace_days ${int} not null default 7`,
    `alter table sessions add column is_from_provider ${int} not null default 0 check (is_from_provider in (0, 1))`,
  ],
}
