import { changeAccess } from '#server/db/change.ts'
import type { Db, Tx } from '#server/db/schema.ts'
import { conflict } from '#server/errors.ts'
import { changesBetween } from '#server/features/activity/store.ts'
import { AppProblem, type Runtime } from '#server/runtime/contract.ts'
import { type Origin, readOrigin, toOrigin, toUrl } from './origin/origin.ts'
import type { AppFiles } from './package/app-files.ts'
import { type AssembledApp, assembleApp } from './package/assemble.ts'
import { MANIFEST } from './package/manifest.ts'
import {
  getEditablePlugin,
  getPlugin,
  getPluginRow,
  logPluginActivity,
  toSource,
} from './plugins.ts'
import type { InstalledPlugin, PluginSource, PluginSourcePatch } from './schema.ts'
import {
  findPluginByUrl,
  insertPlugin,
  listFiles,
  type PluginColumns,
  type PluginRow,
  replaceFiles,
  updatePlugin,
} from './store.ts'

/** Who installs, and with what. Fetching, compiling and loading take seconds, so they happen outside transactions. */
export interface InstallDeps {
  /** null: whoever runs the command line. */
  readonly userId: number | null
  readonly describe: Runtime['describe']
  /** Told what begins. */
  say(step: string): void
}

/** Throws an `AppProblem`. */
export async function installFromOrigin(
  db: Db,
  installer: InstallDeps,
  origin: Origin,
): Promise<InstalledPlugin> {
  const url = toUrl(origin)
  await requireNew(db, url)
  const app = await readAndAssemble(installer, origin)
  return insertApp(db, installer, app, { plugin_type: origin.type, url, ...tagsOf(origin, app) })
}

/** Throws an `AppProblem`. */
export async function installSource(
  db: Db,
  installer: InstallDeps,
  files: AppFiles,
  name: string | undefined,
): Promise<InstalledPlugin> {
  const app = await assembleApp(installer.describe, files, name)
  return insertApp(db, installer, app, { plugin_type: 'source' })
}

/** Throws an `AppProblem`. Settings are not touched: `migrate` brings each config's to the new version. */
export async function upgradePlugin(
  db: Db,
  installer: InstallDeps,
  id: number,
  version?: string,
): Promise<InstalledPlugin> {
  const before = await getEditablePlugin(db, id, 'upgraded')
  const origin = toOrigin(before.url, version)
  if (!origin) {
    throw new AppProblem('The app was sent as source, so there is nothing to upgrade it from.')
  }
  if (origin.type === 'local' && version !== undefined) {
    throw new AppProblem(`Only apps from npm have versions to choose from, not ${before.url}.`)
  }
  const app = await readAndAssemble(installer, origin)
  return replaceApp(db, before, app, { ...app.columns, ...tagsOf(origin, app) }, async (tx) => {
    const changes = changesBetween('Plugin', versionOf(before), versionOf(app.columns))
    const after = { id, name: app.columns.name }
    await logPluginActivity(tx, installer.userId, after, { activity: 'upgraded', changes })
  })
}

const versionOf = ({ name, version }: { name: string; version: string }) => ({ name, version })

/** Throws an `AppProblem`. What `plugin.json` says counts anew only when it was among what was sent. */
export async function updateSource(
  db: Db,
  installer: InstallDeps,
  id: number,
  patch: PluginSourcePatch,
): Promise<PluginSource> {
  const before = await getEditablePlugin(db, id, 'changed')
  const files = applyPatch(toSource(await listFiles(db, id)), patch)
  const app = await assembleApp(installer.describe, files, before.name)
  const { name, description, icon, ...rest } = app.columns
  const columns = Object.hasOwn(patch, MANIFEST) ? app.columns : rest
  await replaceApp(db, before, app, columns, async (tx) => {
    const changed = changesBetween('Plugin', {}, toNames(patch))
    const entry = { activity: 'source_updated', changes: changed }
    await logPluginActivity(tx, installer.userId, await getPluginRow(tx, id), entry)
  })
  return files
}

const applyPatch = (files: PluginSource, patch: PluginSourcePatch): PluginSource =>
  Object.fromEntries(
    Object.entries({ ...files, ...patch }).filter(
      (file): file is [string, string] => file[1] !== null,
    ),
  )

/** Texts may be long, and activity is read by people. */
const toNames = (patch: PluginSourcePatch) => ({ files: Object.keys(patch) })

async function readAndAssemble(installer: InstallDeps, origin: Origin): Promise<AssembledApp> {
  installer.say(`Reading ${toUrl(origin)}`)
  const files = await readOrigin(origin)
  installer.say('Compiling it and looking at what it can do')
  return assembleApp(installer.describe, files)
}

function tagsOf(origin: Origin, { columns }: AssembledApp): { tag?: string; latest_tag?: string } {
  if (origin.type !== 'custom') return {}
  const isNewest = origin.spec.version === 'latest'
  return { tag: columns.version, ...(isNewest && { latest_tag: columns.version }) }
}

async function requireNew(db: Db, url: string): Promise<void> {
  if (await findPluginByUrl(db, url)) {
    throw new AppProblem(`Plugin from URL "${url}" already installed!`)
  }
}

function insertApp(
  db: Db,
  { userId }: InstallDeps,
  app: AssembledApp,
  from: Pick<PluginColumns, 'plugin_type' | 'url' | 'tag' | 'latest_tag'>,
): Promise<InstalledPlugin> {
  return changeAccess(db, async (tx) => {
    if (from.url) await requireNew(tx, from.url)
    const id = await insertPlugin(tx, { ...app.columns, ...from })
    await replaceFiles(tx, id, app.files)
    await logPluginActivity(tx, userId, { id, name: app.columns.name }, { activity: 'installed' })
    return getPlugin(tx, id)
  })
}

/** What was assembled from an app that has changed since would undo that change. */
function replaceApp(
  db: Db,
  before: PluginRow,
  app: AssembledApp,
  columns: Partial<PluginColumns>,
  log: (tx: Tx) => Promise<void>,
): Promise<InstalledPlugin> {
  return changeAccess(db, async (tx) => {
    const { updated_at } = await getPluginRow(tx, before.id)
    if (updated_at !== before.updated_at) {
      throw conflict('The app was changed by someone else in the meantime. Try again.')
    }
    await updatePlugin(tx, before, columns)
    await replaceFiles(tx, before.id, app.files)
    await log(tx)
    return getPlugin(tx, before.id)
  })
}
