import { changeAccess } from '#server/db/change.ts'
import type { Db, Tx } from '#server/db/schema.ts'
import { conflict } from '#server/errors.ts'
import { changesBetween } from '#server/features/activity/store.ts'
import { AppProblem, type Runtime } from '#server/runtime/contract.ts'
import type { GitHubDeps } from './origin/github.ts'
import { type Origin, readOrigin, toOrigin, toOriginUrl } from './origin/origin.ts'
import type { AppFiles } from './package/app-files.ts'
import { type AssembledApp, assembleApp } from './package/assemble.ts'
import { MANIFEST_FILE } from './package/manifest.ts'
import {
  type Editor,
  getEditablePlugin,
  getPlugin,
  getPluginRow,
  logPlugin,
  toPluginSource,
} from './plugins.ts'
import type { InstalledPlugin, PluginSource, PluginSourcePatch } from './schema.ts'
import {
  findPluginByUrl,
  insertPlugin,
  listFiles,
  type PluginColumns,
  type PluginFile,
  type PluginRow,
  replaceFiles,
  updatePlugin,
} from './store.ts'

/** Fetching, compiling and loading an app take seconds, so they happen outside transactions. */
export interface InstallDeps extends GitHubDeps {
  readonly db: Db
  readonly describe: Runtime['describe']
  /** Called at the start of each slow step. */
  onStep?(step: string): void
}

/** Throws an `AppProblem`. */
export async function installFromOrigin(
  deps: InstallDeps,
  actor: Editor,
  origin: Origin,
): Promise<InstalledPlugin> {
  const url = toOriginUrl(origin, deps.githubUrl)
  await requireNew(deps.db, url)
  const app = await readAndAssemble(deps, origin)
  const plugin_type = origin.type === 'local' ? ('local' as const) : ('custom' as const)
  return insertApp(deps.db, actor, app, { plugin_type, url, ...app.tags })
}

/** Throws an `AppProblem`. */
export async function installSource(
  { db, describe }: InstallDeps,
  actor: Editor,
  { files, name }: { readonly files: AppFiles; readonly name: string | undefined },
): Promise<InstalledPlugin> {
  const app = await assembleApp(describe, files, name)
  return insertApp(db, actor, app, { plugin_type: 'source' })
}

/** Throws an `AppProblem`. Settings stay as they are until each config is migrated. */
export async function upgradePlugin(
  deps: InstallDeps,
  actor: Editor,
  { id, version }: { readonly id: number; readonly version?: string | undefined },
): Promise<InstalledPlugin> {
  const { db } = deps
  const before = await getEditablePlugin(db, id, 'upgraded')
  const origin = toOrigin(before.url, deps.githubUrl, version)
  if (!origin) {
    throw new AppProblem('The app was sent as source and cannot be upgraded.')
  }
  if (origin.type === 'local' && version !== undefined) {
    throw new AppProblem(
      `Only apps from npm and GitHub have versions. This one comes from ${before.url}.`,
    )
  }
  const app = await readAndAssemble(deps, origin)
  const columns = { ...app.columns, ...app.tags }
  return replaceApp(db, before, { columns, files: app.files }, async (tx) => {
    const changes = changesBetween('Plugin', toLoggedFields(before), toLoggedFields(app.columns))
    const after = { id, name: app.columns.name }
    await logPlugin(tx, actor, after, 'upgraded', changes)
  })
}

const toLoggedFields = ({ name, version }: { name: string; version: string }) => ({ name, version })

/** Throws an `AppProblem`. Name, description and icon change only if `plugin.json` was sent. */
export async function updateSource(
  { db, describe }: InstallDeps,
  actor: Editor,
  { id, patch }: { readonly id: number; readonly patch: PluginSourcePatch },
): Promise<PluginSource> {
  const before = await getEditablePlugin(db, id, 'changed')
  const files = applyPatch(toPluginSource(await listFiles(db, id)), patch)
  const app = await assembleApp(describe, files, before.name)
  const { name, description, icon, ...rest } = app.columns
  const columns = Object.hasOwn(patch, MANIFEST_FILE) ? app.columns : rest
  await replaceApp(db, before, { columns, files: app.files }, async (tx) => {
    // names only: sources are too long for an activity log
    const changes = changesBetween('Plugin', {}, { files: Object.keys(patch) })
    await logPlugin(tx, actor, await getPluginRow(tx, id), 'source_updated', changes)
  })
  return toPluginSource(app.files)
}

const applyPatch = (files: PluginSource, patch: PluginSourcePatch): PluginSource =>
  Object.fromEntries(
    Object.entries({ ...files, ...patch }).filter(
      (file): file is [string, string] => file[1] !== null,
    ),
  )

/** The installed version, which is also the latest one unless another was requested. */
interface Tags {
  readonly tag?: string
  readonly latest_tag?: string
}

async function readAndAssemble(
  deps: InstallDeps,
  origin: Origin,
): Promise<AssembledApp & { readonly tags: Tags }> {
  const { describe, onStep } = deps
  onStep?.(`Reading ${toOriginUrl(origin, deps.githubUrl)}`)
  const { files, commit = '' } = await readOrigin(deps, origin)
  onStep?.('Compiling the app')
  const app = await assembleApp(describe, files)
  if (origin.type === 'local') return { ...app, tags: {} }
  const tag = origin.type === 'npm' ? app.columns.version : commit
  const isLatest =
    origin.type === 'npm' ? origin.spec.version === 'latest' : origin.spec.ref === 'HEAD'
  return { ...app, tags: { tag, ...(isLatest && { latest_tag: tag }) } }
}

async function requireNew(db: Db, url: string): Promise<void> {
  if (await findPluginByUrl(db, url)) {
    throw new AppProblem(`Plugin from URL "${url}" already installed!`)
  }
}

function insertApp(
  db: Db,
  actor: Editor,
  app: AssembledApp,
  origin: Pick<PluginColumns, 'plugin_type' | 'url' | 'tag' | 'latest_tag'>,
): Promise<InstalledPlugin> {
  return changeAccess(db, async (tx) => {
    if (origin.url) await requireNew(tx, origin.url)
    const id = await insertPlugin(tx, { ...app.columns, ...origin })
    await replaceFiles(tx, id, app.files)
    await logPlugin(tx, actor, { id, name: app.columns.name }, 'installed', null)
    return getPlugin(tx, id)
  })
}

/** Throws if the app has changed in the meantime, since the new files would undo that change. */
function replaceApp(
  db: Db,
  before: PluginRow,
  { columns, files }: { columns: Partial<PluginColumns>; files: readonly PluginFile[] },
  log: (tx: Tx) => Promise<void>,
): Promise<InstalledPlugin> {
  return changeAccess(db, async (tx) => {
    const { updated_at } = await getPluginRow(tx, before.id)
    if (updated_at !== before.updated_at) {
      throw conflict('The app was changed by someone else. Try again.')
    }
    await updatePlugin(tx, before, columns)
    await replaceFiles(tx, before.id, files)
    await log(tx)
    return getPlugin(tx, before.id)
  })
}
