import { changeAccess } from '#server/db/change.ts'
import type { Db } from '#server/db/schema.ts'
import { COMPILER } from '#server/runtime/compile.ts'
import { findNewestVersion } from './origin/npm.ts'
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

/** Looks where the app came from, which only npm can answer. Throws an `AppProblem`. */
export async function checkForUpdates(db: Db, id: number): Promise<InstalledPlugin> {
  const { url, latest_tag } = await getPluginRow(db, id)
  const origin = toOrigin(url)
  if (origin?.type === 'custom') {
    const newest = await findNewestVersion(origin.spec.name)
    if (newest !== latest_tag) await changeAccess(db, (tx) => updateLatestTag(tx, id, newest))
  }
  return getPlugin(db, id)
}

/** Called at every start: what another version's compiler made is made anew from the files. */
export async function recompileOutdatedPlugins(db: Db): Promise<void> {
  const plugins = await listAllPluginRows(db)
  for (const before of plugins) {
    if (before.built_in === 1 || before.compiled_by === COMPILER) continue
    const sources = toSource(await listFiles(db, before.id))
    if (Object.keys(sources).length === 0) continue
    const { code, files } = await compileFiles(sources, before.name)
    await changeAccess(db, async (tx) => {
      const now = await findPluginRow(tx, before.id)
      if (now?.updated_at !== before.updated_at) return // another server was first
      await updatePlugin(tx, before, { code, compiled_by: COMPILER })
      await replaceFiles(tx, before.id, files)
    })
  }
}
