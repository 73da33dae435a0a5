import { changeAccess } from '#server/db/change.ts'
import type { Db } from '#server/db/schema.ts'
import { COMPILER } from '#server/runtime/compile.ts'
import { findLatestVersion } from './origin/npm.ts'
import { toOrigin } from './origin/origin.ts'
import { compileFiles } from './package/assemble.ts'
import { getPlugin, getPluginRow, toSource } from './plugins.ts'
import type { InstalledPlugin } from './schema.ts'
import {
  findPluginRow,
  listAllPluginRows,
  listFiles,
  replaceFiles,
  updateLatestTag,
  updatePlugin,
} from './store.ts'

/** Looks up the latest version in the npm registry, if the app came from there. Throws an `AppProblem`. */
export async function checkForUpdates(db: Db, id: number): Promise<InstalledPlugin> {
  const { url, latest_tag } = await getPluginRow(db, id)
  const origin = toOrigin(url)
  if (origin?.type === 'custom') {
    const latest = await findLatestVersion(origin.spec.name)
    if (latest !== latest_tag) await changeAccess(db, (tx) => updateLatestTag(tx, id, latest))
  }
  return getPlugin(db, id)
}

/** Recompiles apps that the compiler of another version has compiled. Called at every start. */
export async function recompileOutdatedPlugins(db: Db): Promise<void> {
  const plugins = await listAllPluginRows(db)
  for (const before of plugins) {
    if (before.built_in === 1 || before.compiled_by === COMPILER) continue
    const sources = toSource(await listFiles(db, before.id))
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
