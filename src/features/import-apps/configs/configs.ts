import { isDeepStrictEqual } from 'node:util'
import type { Caller } from '#server/access/guard.ts'
import { changeProject } from '#server/db/change.ts'
import type { PageRange, Slice } from '#server/db/page-range.ts'
import type { Db, Tx } from '#server/db/schema.ts'
import { flag, laterThan, now } from '#server/db/values.ts'
import { conflict, notFound } from '#server/errors.ts'
import type { Secrets } from '#server/secrets/secrets.ts'
import { type AttachmentChanges, applyAttachmentChanges } from '../attachments/apply.ts'
import { deleteDetached, detachAttachments, listAttachmentRows } from '../attachments/store.ts'
import type { Plugin } from '../plugins/schema.ts'
import { findPlugin } from '../plugins/store.ts'
import { deleteTicks } from '../runs/execution/schedule-store.ts'
import { queueSetUp } from '../runs/execution/set-ups.ts'
import { APP_CHANGED, cancelQueuedRuns } from '../runs/store.ts'
import { logConfigActivity, toActivityEntries } from './activity.ts'
import { applyDestinationRule } from './destination.ts'
import { toConfig, toConfigs } from './representation.ts'
import {
  MAX_ORDER,
  type PipelineConfig,
  type PipelineConfigCreate,
  type PipelineConfigPatch,
} from './schema.ts'
import {
  isPublicSetting,
  replaceSettings,
  type Settings,
  settingsUnavailable,
  withoutSecrets,
} from './setting-rules.ts'
import {
  type ConfigRow,
  type ConfigWithSettings,
  deleteConfig,
  findConfigRow,
  findConfigWithSettings,
  findLastPosition,
  insertConfig,
  listConfigsWithSettings,
  updateConfig,
  updateConfigCounts,
} from './store.ts'

/** The settings and files of a request. A JSON body has no files. */
export interface FormContent extends AttachmentChanges {
  readonly settings?: Settings | undefined
}

const NO_FORM: FormContent = { uploads: [], removals: [] }

export interface ConfigDeps {
  readonly db: Db
  readonly secrets: Secrets
}

export async function listConfigs(
  { db, secrets }: ConfigDeps,
  projectId: number,
  deleted: boolean,
  window: PageRange,
): Promise<Slice<PipelineConfig>> {
  const { count, results } = await listConfigsWithSettings(db, secrets, projectId, deleted, window)
  return { count, results: await toConfigs(db, projectId, results) }
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
    const entries = [
      { activity: 'created', changes: [] },
      ...toActivityEntries(blank, row, installed),
    ]
    for (const entry of entries) await logConfigActivity(tx, caller, row.id, installed, entry)
    await applyAttachmentChanges(tx, caller, { configId: row.id, plugin: installed }, form)
    await queueSetUp(tx, row, installed)
    return toConfig(tx, row)
  })
}

async function nextPosition(tx: Tx, projectId: number): Promise<number> {
  const last = await findLastPosition(tx, projectId)
  return last === undefined ? 0 : Math.min(last + 1, MAX_ORDER)
}

export interface ConfigChange {
  readonly id: number
  readonly patch: PipelineConfigPatch
  readonly form?: FormContent | undefined
}

export async function patchConfig(
  { db, secrets }: ConfigDeps,
  caller: Caller,
  { id, patch, form = NO_FORM }: ConfigChange,
): Promise<PipelineConfig> {
  const { projectId } = caller
  const { config, detached } = await changeProject(db, projectId, async (tx) => {
    const before = await getConfigWithSettings({ db: tx, secrets }, projectId, id)
    const plugin = await findPlugin(tx, before.plugin_id)
    const next = patch.plugin === undefined ? plugin : await findPlugin(tx, patch.plugin)
    const fields = nextFields(before, patch, form, plugin, next)
    const attached = (await listAttachmentRows(tx, [id])).map(({ key }) => key)
    const { settings, removals } =
      fields.plugin_id === before.plugin_id
        ? applyDestinationRule(plugin, caller, {
            before: before.settings,
            after: fields.settings,
            sent: form.settings ?? {},
            attached,
            uploads: form.uploads.map(({ key }) => key),
            removals: form.removals,
          })
        : withoutPrivateFiles(fields.settings, form, attached, plugin)
    const columns = { ...fields, settings }
    const entries = toActivityEntries(before, { ...before, ...columns }, plugin)
    const hasFiles = form.uploads.length + removals.length > 0
    if (entries.length === 0 && !hasFiles) {
      return { config: await toConfig(tx, before), detached: [] }
    }
    const updated_at = laterThan(before.updated_at)
    const hasOtherApp = columns.plugin_id !== before.plugin_id
    const isRescheduled = hasOtherApp || columns.enabled > before.enabled
    const scheduled_from = isRescheduled ? now() : before.scheduled_from
    const row = await updateConfig(tx, secrets, projectId, id, {
      ...columns,
      updated_at,
      scheduled_from,
    })
    if (isRescheduled) await deleteTicks(tx, id)
    if (hasOtherApp) await cancelQueuedRuns(tx, id, APP_CHANGED)
    const trashed = row.deleted - before.deleted
    if (trashed !== 0) await updateConfigCounts(tx, projectId, { live: -trashed, trashed })
    for (const entry of entries) await logConfigActivity(tx, caller, id, next, entry)
    const owner = { configId: id, plugin: next }
    const detached = await applyAttachmentChanges(tx, caller, owner, { ...form, removals })
    const hasOtherSettings = hasFiles || !isDeepStrictEqual(row.settings, before.settings)
    if (isRescheduled || hasOtherSettings) await queueSetUp(tx, row, next)
    return { config: await toConfig(tx, row), detached }
  })
  await deleteDetached(db, detached)
  return config
}

function nextFields(
  row: ConfigWithSettings,
  patch: PipelineConfigPatch,
  form: FormContent,
  plugin: Plugin | undefined,
  next: Plugin | undefined,
) {
  const { plugin: plugin_id = row.plugin_id, order: position = row.position } = patch
  const name = nextText(patch.name, row.name, plugin?.name)
  const description = nextText(patch.description, row.description, plugin?.description)
  const kept = plugin_id === row.plugin_id ? row.settings : withoutSecrets(row.settings, plugin)
  const settings = nextSettings(kept, form, next, plugin_id)
  return { plugin_id, position, name, description, settings, ...nextState(row, patch) }
}

/** Keeps the text if it is sent back as responses show it, where the app's own stands in for an empty one. */
function nextText(
  sent: string | null | undefined,
  stored: string | null,
  own: string | undefined,
): string | null {
  return sent === undefined || sent === (stored || own || '') ? stored : sent
}

function nextSettings(
  current: Settings,
  { settings }: FormContent,
  plugin: Plugin | undefined,
  pluginId: number,
): Settings {
  if (settings === undefined) return current
  if (plugin) return replaceSettings(current, settings, plugin)
  if (Object.keys(settings).length > 0) throw settingsUnavailable(pluginId)
  return current
}

/** Removes files that another app must not inherit, for the same reason as secrets. */
const withoutPrivateFiles = (
  settings: Settings,
  { removals }: FormContent,
  attached: readonly string[],
  plugin: Plugin | undefined,
) => ({
  settings,
  removals: [...removals, ...attached.filter((key) => !isPublicSetting(key, plugin))],
})

/** Disables a config that goes into the trash. It stays disabled when it is restored, unless `enabled` is sent too. */
function nextState(row: ConfigRow, { enabled, deleted }: PipelineConfigPatch) {
  const isTrashed = deleted === undefined ? row.deleted === 1 : deleted === true
  if (enabled && isTrashed && deleted === undefined) {
    throw conflict('This config is in the trash. Restore it with "deleted": false to enable it.')
  }
  return { deleted: flag(isTrashed), enabled: flag(!isTrashed && (enabled ?? row.enabled === 1)) }
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
    await logConfigActivity(tx, caller, id, plugin, { activity: 'removed', changes: [] })
    return files
  })
  await deleteDetached(db, detached)
}
