import { describe, expect, it } from 'vitest'
import { COMPILER } from '#server/runtime/compile.ts'
import { startApp, type TestApp } from '../../../../test/support/app/app.ts'
import { PLUGINS, sourceOf } from '../../../../test/support/app/plugin.ts'
import { recompileOutdatedPlugins } from './updates.ts'

const CODE = 'export const runEveryHour = () => {}'

/** Installs an app as an earlier version would have. */
async function start(code: string) {
  const api = await startApp()
  await api.post(PLUGINS, sourceOf(CODE, {}, { 'frontend.tsx': 'export const a = 1' }))
  const { code: compiled, updated_at } = await read(api)
  const files = api.db.updateTable('plugin_files')
  await files.set({ source: code }).where('name', '=', 'index.ts').execute()
  await files.set({ compiled: 'old' }).where('name', '=', 'frontend.tsx').execute()
  const old = { code: 'old', compiled_by: 'an earlier one' }
  await api.db.updateTable('plugins').set(old).where('id', '=', 1000).execute()
  return { api, compiled, updated_at }
}

const read = ({ db }: TestApp) =>
  db
    .selectFrom('plugins')
    .innerJoin('plugin_files', 'plugin_files.plugin_id', 'plugins.id')
    .select(['code', 'compiled_by', 'updated_at', 'compiled'])
    .where('plugin_files.name', '=', 'frontend.tsx')
    .executeTakeFirstOrThrow()

describe('a newer compiler', () => {
  it('recompiles the files of an earlier compiler and reloads the app', async () => {
    const { api, compiled, updated_at } = await start(CODE)

    await recompileOutdatedPlugins(api.db)

    const after = await read(api)
    expect(after).toMatchObject({ code: compiled, compiled_by: COMPILER })
    expect(after.compiled).toContain('getFrontendApp')
    expect(after.updated_at > updated_at).toBe(true)
  })

  it('skips its own output and apps without files', async () => {
    const { api } = await start(CODE)
    await recompileOutdatedPlugins(api.db)
    const before = await api.db.selectFrom('plugins').selectAll().orderBy('id').execute()

    await recompileOutdatedPlugins(api.db)

    expect(await api.db.selectFrom('plugins').selectAll().orderBy('id').execute()).toEqual(before)
  })

  it('makes an app that it cannot compile fail with the error when it runs', async () => {
    const { api } = await start('export const = 1')

    await recompileOutdatedPlugins(api.db)

    const { code, compiled_by } = await read(api)
    expect(compiled_by).toBe(COMPILER)
    expect(() => new Function(code)()).toThrow(/index\.ts/)
  })
})
