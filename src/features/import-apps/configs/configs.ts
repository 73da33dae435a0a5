import type { Caller } from '#server/access/guard.ts'
import { changeProject } from '#server/db/change.ts'
import type { PageRange, Slice } from '#server/db/page-range.ts'
import type { Db, Tx } from '#server/db/schema.ts'
import { flag, now } from '#server/db/values.ts'
import { notFound } from '#server/errors.ts'
import { applyAttachmentChanges } from '../attachments/apply.ts'
import { deleteDetached, detachAttachments } from '../attachments/store.ts'
import { configLog } from '../config-activity.ts'
import { findPlugin } from '../plugins/store.ts'
import { queueSetUp } from '../queue/set-ups.ts'
import { toActivityEntries } from './activity.ts'
import { NO_FORM, nextSettings } from './plan-patch.ts'
import { toConfig, toConfigs } from './representation.ts'
import { MAX_ORDER, type PipelineConfig, type PipelineConfigCreate } from './schema.ts'
import {
  type ConfigDeps,
  type ConfigRow,
  type ConfigWithSettings,
  deleteConfig,
  findConfigRow,
  findConfigWithSettings,
  findLastPosition,
  insertConfig,
  listConfigsWithSettings,
  updateConfigCounts,
} from './store.ts'

export async function listConfigs(
  deps: ConfigDeps,
  filter: { readonly projectId: number; readonly deleted: boolean },
  range: PageRange,
): Promise<Slice<PipelineConfig>> {
  const { count, results } = await listConfigsWithSettings(deps, filter, range)
  return { count, results: await toConfigs(deps.db, filter.projectId, results) }
}

export async function getConfigRow(db: Db, projectId: number, id: number): Promise<ConfigRow> {
  const row = await findConfigRow(db, projectId, id)
  if (!row) throw notFound()
  return row
}

export async function getConfigWithSettings(
  { db, secrets }: ConfigDeps,
  projectId: number,
  id: number,
): Promise<ConfigWithSettings> {
  const row = await findConfigWithSettings(db, secrets, projectId, id)
  if (!row) throw notFound()
  return row
}

export async function getConfig(
  deps: ConfigDeps,
  projectId: number,
  id: number,
): Promise<PipelineConfig> {
  return toConfig(deps.db, await getConfigWithSettings(deps, projectId, id))
}

export function createConfig(
  { db, secrets }: ConfigDeps,
  caller: Caller,
  fields: PipelineConfigCreate,
  form = NO_FORM,
): Promise<PipelineConfig> {
  const { projectId } = caller
  const { plugin, order, enabled = false, name, description } = fields
  const deleted = fields.deleted ?? false
  return changeProject(db, projectId, async (tx) => {
    const at = now()
    const installed = await findPlugin(tx, plugin)
    const row = await insertConfig(tx, secrets, {
      project_id: projectId,
      plugin_id: plugin,
      enabled: flag(enabled && !deleted),
      position: order ?? (await nextPosition(tx, projectId)),
      name: name ?? null,
      description: description ?? null,
      settings: nextSettings({}, form, installed, plugin),
      deleted: flag(deleted),
      created_at: at,
      updated_at: at,
      scheduled_from: at,
    })
    await updateConfigCounts(tx, projectId, deleted ? { trashed: 1 } : { live: 1 })
    const blank: ConfigWithSettings = { ...row, enabled: 0, deleted: 0, settings: {} }
    const logged = { configId: row.id, plugin: installed }
    await configLog.logActivity(tx, caller, logged, 'created')
    for (const entry of toActivityEntries(blank, row, installed)) {
      await configLog.logActivity(tx, caller, logged, ...entry)
    }
    await applyAttachmentChanges(tx, caller, logged, form)
    await queueSetUp(tx, row, installed)
    return toConfig(tx, row)
  })
}

async function nextPosition(tx: Tx, projectId: number): Promise<number> {
  const last = await findLastPosition(tx, projectId)
  return last === undefined ? 0 : Math.min(last + 1, MAX_ORDER)
}

/** Deletes a config with its runs and files, whether it is in the trash or not. Its activity stays. */
export async function removeConfig(db: Db, caller: Caller, id: number): Promise<void> {
  const { projectId } = caller
  const detached = await changeProject(db, projectId, async (tx) => {
    const row = await getConfigRow(tx, projectId, id)
    const files = await detachAttachments(tx, id)
    await deleteConfig(tx, projectId, id)
    await updateConfigCounts(tx, projectId, row.deleted ? { trashed: -1 } : { live: -1 })
    const plugin = await findPlugin(tx, row.plugin_id)
    await configLog.logActivity(tx, caller, { configId: id, plugin }, 'removed')
    return files
  })
  await deleteDetached(db, detached)
}
