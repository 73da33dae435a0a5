import { changeAccess } from '#server/db/change.ts'
import type { Db } from '#server/db/schema.ts'
import { COMPILER } from '#server/runtime/compile.ts'
import type { InstallDeps } from './install.ts'
import { findLatest, toOrigin } from './origin/origin.ts'
import { compileFiles } from './package/assemble.ts'
import { getPlugin, getPluginRow, toPluginSource } from './plugins.ts'
import type { InstalledPlugin } from './schema.ts'
import {
  findPluginRow,
  listAllPluginRows,
  listFiles,
  replaceFiles,
  updateLatestTag,
  updatePlugin,
} from './store.ts'

/** Looks up the latest version where the app came from. Throws an `AppProblem`. */
export async function checkForUpdates(deps: InstallDeps, id: number): Promise<InstalledPlugin> {
  const { db } = deps
  const { url, latest_tag } = await getPluginRow(db, id)
  const origin = toOrigin(url, deps.githubUrl)
  const latest = origin && (await findLatest(deps, origin))
  if (latest !== undefined && latest !== latest_tag) {
    await changeAccess(db, (tx) => updateLatestTag(tx, id, latest))
  }
  return getPlugin(db, id)
}

/** Recompiles apps that the compiler of another version has compiled. Called at every start. */
export async function recompileOutdatedPlugins(db: Db): Promise<void> {
  const plugins = await listAllPluginRows(db)
  for (const before of plugins) {
    if (before.built_in === 1 || before.compiled_by === COMPILER) continue
    const sources = toPluginSource(await listFiles(db, before.id))
    if (Object.keys(sources).length === 0) continue
    const { code, files } = await compileFiles(sources, before.name)
    await changeAccess(db, async (tx) => {
      const current = await findPluginRow(tx, before.id)
      if (current?.updated_at !== before.updated_at) return // another server has compiled it
      await updatePlugin(tx, before, { code, compiled_by: COMPILER })
      await replaceFiles(tx, before.id, files)
    })
  }
}
