import { sql } from 'kysely'
import { OperatorError } from '../errors.ts'
import { type ColumnTypes, columnTypes, hasTable, lockMigrations } from './dialect.ts'
import { initial } from './migrations/0001-initial.ts'
import { importApps } from './migrations/0002-import-apps.ts'
import { insightsAndTemplates } from './migrations/0003-insights-and-templates.ts'
import { results } from './migrations/0004-results.ts'
import { alerts } from './migrations/0005-alerts.ts'
import { sessions } from './migrations/0006-sessions.ts'
import { invites } from './migrations/0007-invites.ts'
import { activityLog } from './migrations/0008-activity-log.ts'
import { dashboardLists } from './migrations/0009-dashboard-lists.ts'
import { removedProjects } from './migrations/0010-removed-projects.ts'
import { fairRuns } from './migrations/0011-fair-runs.ts'
import { scheduleTicks } from './migrations/0012-schedule-ticks.ts'
import { appStateSizes } from './migrations/0013-app-state-sizes.ts'
import { appsOfRuns } from './migrations/0014-apps-of-runs.ts'
import { installation } from './migrations/0015-installation.ts'
import { cohorts } from './migrations/0016-cohorts.ts'
import { groupTypeNames } from './migrations/0017-group-type-names.ts'
import { runCounts } from './migrations/0018-run-counts.ts'
import { demoData } from './migrations/0019-demo-data.ts'
import { annotations } from './migrations/0020-annotations.ts'
import { anonymizeIps } from './migrations/0021-anonymize-ips.ts'
import { terraform } from './migrations/0022-terraform.ts'
import { scheduledBackups } from './migrations/0023-scheduled-backups.ts'
import { demoItems } from './migrations/0024-demo-items.ts'
import { definitionDetails } from './migrations/0025-definition-details.ts'
import { webhookFormats } from './migrations/0028-webhook-formats.ts'
import { importSchedules } from './migrations/0029-import-schedules.ts'
import { webhooks } from './migrations/0030-webhooks.ts'
import { importRetries } from './migrations/0040-import-retries.ts'
import { importAlerts } from './migrations/0041-import-alerts.ts'
import { importState } from './migrations/0042-import-state.ts'
import { backfills } from './migrations/0043-backfills.ts'
import { actions } from './migrations/0050-actions.ts'
import { savedViews } from './migrations/0051-saved-views.ts'
import { usualRanges } from './migrations/0075-usual-ranges.ts'
import { sections } from './migrations/0090-sections.ts'
import { webhookStates } from './migrations/0105-webhook-states.ts'
import { publicLinks } from './migrations/0110-public-links.ts'
import { requestStates } from './migrations/0111-request-states.ts'
import { linkPolicy } from './migrations/0120-link-policy.ts'
import { viewerFilters } from './migrations/0125-viewer-filters.ts'
import { insightLinks } from './migrations/0126-insight-links.ts'
import { secondFactors } from './migrations/0130-second-factors.ts'
import { secondFactorRule } from './migrations/0131-second-factor-rule.ts'
import { comments } from './migrations/0135-comments.ts'
import { linkGuests } from './migrations/0140-link-guests.ts'
import { guestViews } from './migrations/0141-guest-views.ts'
import { linkSnapshots } from './migrations/0142-link-snapshots.ts'
import { embeds } from './migrations/0145-embeds.ts'
import { scim } from './migrations/0150-scim.ts'
import { passkeys } from './migrations/0151-passkeys.ts'
import { projectLevels } from './migrations/0155-project-levels.ts'
import type { Db, Tx } from './schema.ts'

export interface Migration {
  readonly name: string
  readonly up: (types: ColumnTypes) => readonly string[]
}

/** Append only: a released migration is never edited. */
export const MIGRATIONS: readonly Migration[] = [
  initial,
  importApps,
  insightsAndTemplates,
  results,
  alerts,
  sessions,
  invites,
  activityLog,
  dashboardLists,
  removedProjects,
  fairRuns,
  scheduleTicks,
  appStateSizes,
  appsOfRuns,
  installation,
  cohorts,
  groupTypeNames,
  runCounts,
  demoData,
  annotations,
  anonymizeIps,
  terraform,
  scheduledBackups,
  demoItems,
  definitionDetails,
  webhookFormats,
  importSchedules,
  webhooks,
  importRetries,
  importAlerts,
  importState,
  backfills,
  actions,
  savedViews,
  usualRanges,
  sections,
  webhookStates,
  publicLinks,
  requestStates,
  linkPolicy,
  viewerFilters,
  insightLinks,
  secondFactors,
  secondFactorRule,
  comments,
  linkGuests,
  guestViews,
  linkSnapshots,
  embeds,
  scim,
  passkeys,
  projectLevels,
]

/**
 * Brings the database to this version's schema and returns the migrations that ran. Several servers may call it at
 * once: the first to take the lock does the work, the others find it done.
 */
export async function migrate(db: Db, migrations = MIGRATIONS): Promise<string[]> {
  if ((await pendingMigrations(db, migrations)).length === 0) return []
  return db.transaction().execute((tx) => migrateIn(tx, migrations))
}

/** Migrates in the caller's transaction. */
export async function migrateIn(tx: Tx, migrations = MIGRATIONS): Promise<string[]> {
  await lockMigrations(tx)
  await sql`create table if not exists schema_migrations (name varchar(200) primary key)`.execute(
    tx,
  )
  const pending = await pendingMigrations(tx, migrations)
  for (const migration of pending) await runMigration(tx, migration)
  return pending.map(({ name }) => name)
}

/** Throws if a newer version has migrated the database, because this version might misread it. */
export async function pendingMigrations(
  db: Db,
  migrations = MIGRATIONS,
): Promise<readonly Migration[]> {
  const applied = await listAppliedMigrations(db)
  const unknown = applied.filter((name) => !migrations.some((migration) => migration.name === name))
  if (unknown.length > 0) {
    throw new OperatorError(
      `The database has a newer schema (${unknown.join(', ')}) than this version of Hedgerow knows. Start the newer version, or restore a backup made before it.`,
    )
  }
  return migrations.filter(({ name }) => !applied.includes(name))
}

async function listAppliedMigrations(db: Db): Promise<string[]> {
  if (!(await hasTable(db, 'schema_migrations'))) return []
  const { rows } = await sql<{ name: string }>`select name from schema_migrations`.execute(db)
  return rows.map(({ name }) => name)
}

async function runMigration(tx: Tx, migration: Migration): Promise<void> {
  for (const statement of migration.up(columnTypes(tx))) await sql.raw(statement).execute(tx)
  await sql`insert into schema_migrations (name) values (${migration.name})`.execute(tx)
}
