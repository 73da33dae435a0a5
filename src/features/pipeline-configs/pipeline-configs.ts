import type { Caller } from '../../access/guard.ts'
import { changeProject } from '../../db/change.ts'
import type { Db, Tx } from '../../db/schema.ts'
import { flag, now } from '../../db/values.ts'
import type { Slice, Window } from '../../db/window.ts'
import { conflict, notFound } from '../../errors.ts'
import type { Plugin } from '../plugins/schema.ts'
import { findPlugin } from '../plugins/store.ts'
import { differences, logConfig } from './log.ts'
import { toConfig, toConfigs } from './representation.ts'
import {
  MAX_ORDER,
  type PipelineConfig,
  type PipelineConfigCreate,
  type PipelineConfigPatch,
} from './schema.ts'
import { withoutSecrets } from './setting-rules.ts'
import {
  addToCounts,
  type ConfigRow,
  deleteConfig,
  findConfigRow,
  findLastPosition,
  insertConfig,
  listConfigRows,
  updateConfig,
} from './store.ts'

export async function listConfigs(
  db: Db,
  projectId: number,
  deleted: boolean,
  window: Window,
): Promise<Slice<PipelineConfig>> {
  const { count, results } = await listConfigRows(db, projectId, deleted, window)
  return { count, results: await toConfigs(db, projectId, results) }
}

export async function getConfigRow(db: Db, projectId: number, id: number): Promise<ConfigRow> {
  const row = await findConfigRow(db, projectId, id)
  if (!row) throw notFound()
  return row
}

export async function getConfig(db: Db, projectId: number, id: number): Promise<PipelineConfig> {
  return toConfig(db, await getConfigRow(db, projectId, id))
}

export function createConfig(
  db: Db,
  caller: Caller,
  { plugin, order, enabled = false, deleted = false, name, description }: PipelineConfigCreate,
): Promise<PipelineConfig> {
  const { projectId } = caller
  return changeProject(db, projectId, async (tx) => {
    const at = now()
    const row = await insertConfig(tx, {
      project_id: projectId,
      plugin_id: plugin,
      enabled: flag(enabled && !deleted),
      position: order ?? (await nextPosition(tx, projectId)),
      name: name ?? null,
      description: description ?? null,
      settings: '{}',
      deleted: flag(deleted),
      created_at: at,
      updated_at: at,
    })
    await addToCounts(tx, projectId, deleted ? { trashed: 1 } : { live: 1 })
    const installed = await findPlugin(tx, plugin)
    const blank: ConfigRow = { ...row, enabled: 0, deleted: 0 }
    const entries = [{ activity: 'created', changes: [] }, ...differences(blank, row, installed)]
    for (const entry of entries) await logConfig(tx, caller, row.id, installed, entry)
    return toConfig(tx, row)
  })
}

async function nextPosition(tx: Tx, projectId: number): Promise<number> {
  const last = await findLastPosition(tx, projectId)
  return last === undefined ? 0 : Math.min(last + 1, MAX_ORDER)
}

export function patchConfig(
  db: Db,
  caller: Caller,
  id: number,
  patch: PipelineConfigPatch,
): Promise<PipelineConfig> {
  const { projectId } = caller
  return changeProject(db, projectId, async (tx) => {
    const before = await getConfigRow(tx, projectId, id)
    const plugin = await findPlugin(tx, before.plugin_id)
    const columns = nextColumns(before, patch, plugin)
    const entries = differences(before, { ...before, ...columns }, plugin)
    if (entries.length === 0) return toConfig(tx, before)
    const row = await updateConfig(tx, projectId, id, { ...columns, updated_at: now() })
    const trashed = row.deleted - before.deleted
    if (trashed !== 0) await addToCounts(tx, projectId, { live: -trashed, trashed })
    const named = await findPlugin(tx, row.plugin_id)
    for (const entry of entries) await logConfig(tx, caller, id, named, entry)
    return toConfig(tx, row)
  })
}

function nextColumns(row: ConfigRow, patch: PipelineConfigPatch, plugin: Plugin | undefined) {
  const { plugin: plugin_id = row.plugin_id, order: position = row.position } = patch
  const { name = row.name, description = row.description } = patch
  const settings =
    plugin_id === row.plugin_id
      ? row.settings
      : JSON.stringify(withoutSecrets(JSON.parse(row.settings), plugin))
  return { plugin_id, position, name, description, settings, ...nextState(row, patch) }
}

/** Whatever is in the trash is disabled, and stays so when it comes back unless asked otherwise. */
function nextState(row: ConfigRow, { enabled, deleted }: PipelineConfigPatch) {
  const inTrash = deleted ?? row.deleted === 1
  if (enabled && inTrash && deleted === undefined) {
    throw conflict('This config is in the trash. Restore it with "deleted": false to enable it.')
  }
  return { deleted: flag(inTrash), enabled: flag(!inTrash && (enabled ?? row.enabled === 1)) }
}

/** For good, from the trash or not. Its runs go with it, its activity stays. */
export function removeConfig(db: Db, caller: Caller, id: number): Promise<void> {
  const { projectId } = caller
  return changeProject(db, projectId, async (tx) => {
    const row = await getConfigRow(tx, projectId, id)
    await deleteConfig(tx, projectId, id)
    await addToCounts(tx, projectId, row.deleted ? { trashed: -1 } : { live: -1 })
    const plugin = await findPlugin(tx, row.plugin_id)
    await logConfig(tx, caller, id, plugin, { activity: 'removed', changes: [] })
  })
}
