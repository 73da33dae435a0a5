import { describeLimitation } from '#model/app-limitation.ts'
import { changeAccess } from '#server/db/change.ts'
import type { PageRange, Slice } from '#server/db/page-range.ts'
import type { Db, Tx } from '#server/db/schema.ts'
import { conflict, notFound } from '#server/errors.ts'
import { getOrganizationRow } from '#server/features/accounts/projects/organization.ts'
import { listProjectIds } from '#server/features/accounts/projects/store.ts'
import { defineLog } from '#server/features/activity/log.ts'
import type { Change } from '#server/features/activity/schema.ts'
import type { InstalledPlugin, PluginPatch, PluginSource, PluginUse } from './schema.ts'
import {
  deletePlugin,
  findPluginRow,
  listAllPluginRows,
  listFiles,
  listPluginRows,
  listUsingProjects,
  type PluginRow,
  toExportedJobs,
  updatePlugin,
} from './store.ts'

export async function listPlugins(db: Db, window: PageRange): Promise<Slice<InstalledPlugin>> {
  const { count, results } = await listPluginRows(db, window)
  return { count, results: await toPlugins(db, results) }
}

export const listAllPlugins = async (db: Db): Promise<InstalledPlugin[]> =>
  toPlugins(db, await listAllPluginRows(db))

export async function getPlugin(db: Db, id: number): Promise<InstalledPlugin> {
  const [plugin] = await toPlugins(db, [await getPluginRow(db, id)])
  return plugin as InstalledPlugin
}

export async function getPluginRow(db: Db, id: number): Promise<PluginRow> {
  const row = await findPluginRow(db, id)
  if (!row) throw notFound()
  return row
}

/** Lists the projects with configs of the app, without those in the trash. */
export async function listPluginUses(db: Db, id: number): Promise<PluginUse[]> {
  await getPluginRow(db, id)
  const organization = await getOrganizationRow(db)
  return listUsingProjects(db, organization.id, id)
}

export async function getSource(db: Db, id: number): Promise<PluginSource> {
  await getPluginRow(db, id)
  return toPluginSource(await listFiles(db, id))
}

export const toPluginSource = (files: readonly { name: string; source: string }[]): PluginSource =>
  Object.fromEntries(files.map(({ name, source }) => [name, source]))

/** The user who changes a plugin, or null for the command line. */
export interface Editor {
  readonly userId: number | null
}

export function patchPlugin(
  db: Db,
  actor: Editor,
  id: number,
  { name, description, icon }: PluginPatch,
): Promise<InstalledPlugin> {
  return changeAccess(db, async (tx) => {
    const before = await getEditablePlugin(tx, id, 'changed')
    await updatePlugin(tx, before, { name, description, icon })
    const after = await getPluginRow(tx, id)
    const changes = log.listChanges(before, after)
    if (changes.length > 0) await logPlugin(tx, actor, after, 'updated', changes)
    return getPlugin(tx, id)
  })
}

/** Uninstalls an app. Its configs stay and get an `error`. */
export function removePlugin(db: Db, actor: Editor, id: number): Promise<InstalledPlugin> {
  return changeAccess(db, async (tx) => {
    const row = await getEditablePlugin(tx, id, 'uninstalled')
    const plugin = await getPlugin(tx, id)
    await deletePlugin(tx, id)
    await logPlugin(tx, actor, row, 'uninstalled', null)
    return plugin
  })
}

/** Throws for built-in apps. `participle` completes the message: `cannot be <participle>`. */
export async function getEditablePlugin(
  db: Db,
  id: number,
  participle: string,
): Promise<PluginRow> {
  const row = await getPluginRow(db, id)
  if (row.built_in === 1) {
    throw conflict(`${row.name} comes with Hedgerow and cannot be ${participle}.`)
  }
  return row
}

const log = defineLog<Pick<PluginRow, 'id' | 'name'>, PluginRow>('Plugin', {
  toItem: (plugin) => plugin,
  toLogged: ({ name, description, icon }) => ({ name, description, icon }),
})

/** Logs to every project, since every project can use the plugin. */
export async function logPlugin(
  tx: Tx,
  { userId }: Editor,
  plugin: Pick<PluginRow, 'id' | 'name'>,
  activity: string,
  changes: Change[] | null,
): Promise<void> {
  for (const projectId of await listProjectIds(tx)) {
    await log.logActivity(tx, { projectId, userId }, plugin, activity, changes)
  }
}

async function toPlugins(db: Db, rows: readonly PluginRow[]): Promise<InstalledPlugin[]> {
  const organization = await getOrganizationRow(db)
  return rows.map((row) => toPlugin(row, organization))
}

function toPlugin(row: PluginRow, organization: { id: string; name: string }): InstalledPlugin {
  const { public_jobs, missing } = toExportedJobs(row)
  const plugin = {
    id: row.id,
    plugin_type: row.plugin_type === 'built_in' ? ('inline' as const) : row.plugin_type,
    name: row.name,
    version: row.version,
    description: row.description,
    url: row.url,
    icon: row.icon,
    config_schema: JSON.parse(row.config_schema),
    tag: row.tag,
    latest_tag: row.latest_tag,
    is_global: row.built_in === 1,
    organization_id: organization.id,
    organization_name: organization.name,
    capabilities: { scheduled_tasks: [], jobs: [], methods: [], ...JSON.parse(row.capabilities) },
    metrics: {},
    public_jobs,
    hog_function_migration_available: false,
    built_in: row.built_in === 1,
    has_frontend: row.has_frontend,
    created_at: row.created_at,
    updated_at: row.updated_at,
  }
  return { ...plugin, limitation: describeLimitation(plugin, missing) }
}
