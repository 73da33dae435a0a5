import type { Caller } from '#server/access/guard.ts'
import type { Db } from '#server/db/schema.ts'
import { invalid } from '#server/errors.ts'
import type { AppAttachment } from '#server/runtime/contract.ts'
import type { Secrets } from '#server/secrets/secrets.ts'
import { requireFileSetting } from '../attachments/apply.ts'
import { toFileName } from '../attachments/file-names.ts'
import { loadAttachments } from '../attachments/load.ts'
import { listMissingSettings } from '../configs/app-config.ts'
import { getConfigWithSettings } from '../configs/configs.ts'
import { applyDestinationRule } from '../configs/destination.ts'
import { nextSettings } from '../configs/plan-patch.ts'
import { chooseTask } from '../drafts/run-draft.ts'
import { limitTests, type TestDeps, testApp } from '../drafts/test-app.ts'
import { findPlugin } from '../plugins/store.ts'
import { toAppSpec } from '../runs/execution/load-app-spec.ts'
import { settingsUnavailable } from '../setting-rules.ts'
import { COLUMNS_KEY, parseColumns } from './columns.ts'
import type { ConfigPreview, FileSample, PreviewRequest } from './schema.ts'

export interface PreviewDeps extends TestDeps {
  readonly db: Db
  readonly secrets: Secrets
}

interface Preview {
  readonly id: number
  readonly request: PreviewRequest
  readonly signal: AbortSignal
}

/** Runs the app of a config once with settings that are not saved, and returns its first events. It stores nothing. */
export async function previewConfig(
  deps: PreviewDeps,
  caller: Caller,
  { id, request, signal }: Preview,
): Promise<ConfigPreview> {
  const { db, secrets } = deps
  const { settings: sent, files = {}, removed = [] } = request
  const config = await getConfigWithSettings({ db, secrets }, caller.projectId, id)
  const plugin = await findPlugin(db, config.plugin_id)
  if (!plugin) throw settingsUnavailable(config.plugin_id)
  const samples = Object.entries(files).map(([key, file]) => {
    requireFileSetting(plugin, plugin.id, key)
    return [key, toAttachment(key, file)] as const
  })
  const stored = await loadAttachments(db, secrets, id)
  const after = nextSettings(config.settings, { settings: sent, ...NO_FILES }, plugin, plugin.id)
  const { settings, removals } = applyDestinationRule(plugin, caller.level, {
    ...{ before: config.settings, after, sent },
    attached: Object.keys(stored),
    uploads: Object.keys(files),
    removals: removed,
  })
  const kept = Object.entries(stored).filter(([key]) => !removals.includes(key))
  const attachments = Object.fromEntries([...kept, ...samples])
  const missing = listMissingSettings(plugin, settings, attachments).find(
    (key) => !plugin.config_schema.some((field) => field.key === key && field.column),
  )
  if (missing !== undefined) throw invalid(missing, 'Required.', 'required')
  const app = await toAppSpec(db, { ...config, settings }, plugin, attachments)
  const task = chooseTask(plugin, undefined)
  const { outcome, storage } = await limitTests(() => testApp(deps, app, task, signal))
  const { log: _, ...shown } = outcome
  return { ...shown, columns: parseColumns(await storage.get(COLUMNS_KEY)) }
}

const NO_FILES = { uploads: [], removals: [] }

const BASE64 = /^[A-Za-z0-9+/]*={0,2}$/

function toAttachment(key: string, { name, content }: FileSample): AppAttachment {
  if (!BASE64.test(content)) throw invalid(`files__${key}__content`, 'This is not Base64.')
  const bytes = Buffer.from(content, 'base64')
  return {
    content_type: 'application/octet-stream',
    file_name: toFileName(`files__${key}__name`, name) ?? key,
    size: bytes.length,
    async *read() {
      yield bytes
    },
  }
}
