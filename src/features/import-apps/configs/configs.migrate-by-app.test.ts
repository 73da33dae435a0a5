import { describe, expect, it } from 'vitest'
import { AppProblem } from '#server/runtime/contract.ts'
import { CONFIGS, useApp } from '../../../../test/support/app/app.ts'
import { installPlugin } from '../../../../test/support/app/plugin.ts'
import { listActivity } from '../../../../test/support/data/activity.ts'
import { createConfig } from '../../../../test/support/data/configs.ts'
import type { ConfigField } from '../plugins/schema.ts'
import { type MigrateByApp, migrateConfig } from './migrate.ts'

const SCHEMA: ConfigField[] = [
  { key: 'host' },
  { key: 'rows', default: '10' },
  { key: 'mode', type: 'choice', choices: ['a', 'b'] },
]

async function start() {
  const api = await useApp()
  const plugin = await installPlugin(api.db, { config_schema: SCHEMA })
  const { id } = await createConfig(api, { plugin })
  const path = `${CONFIGS}/${id}/settings`
  const save = (settings: object) => api.patch(path, { settings })
  await save({ host: 'old' })
  const caller = {
    projectId: api.projectId,
    userId: 1,
    level: 15,
    isViewer: false,
    scopes: new Set(['*']),
  }
  const migrate = (migrateByApp: MigrateByApp) =>
    migrateConfig({ db: api.db, secrets: api.services.secrets, migrateByApp }, caller, id)
  const settings = async () => (await api.get(path)).body.settings
  return { api, migrate, save, settings }
}

describe('an app that migrates its own settings', () => {
  it('gets the stored settings, and its result is converted to its schema', async () => {
    const { migrate, settings } = await start()

    const { changes } = await migrate(async (config, plugin) => {
      expect(config.settings).toEqual({ host: 'old' })
      expect(plugin.name).toBe('Test app')
      return { host: 5, mode: 'b', gone: true }
    })

    expect(await settings()).toEqual({ host: '5', rows: '10', mode: 'b' })
    expect(changes.map(({ field }) => field)).toEqual(['host', 'rows', 'mode'])
  })

  it('can leave the migration to the schema', async () => {
    const { migrate, settings } = await start()

    await migrate(async () => undefined)

    expect(await settings()).toEqual({ host: 'old', rows: '10' })
  })

  it.each([
    ['fails', () => Promise.reject(new AppProblem('No idea.')), 'No idea.'],
    ['returns a list', async () => [], 'did not return settings'],
    ['returns null', async () => null, 'did not return settings'],
    ['returns values that cannot be stored', async () => ({ host: '\0' }), 'Null characters'],
  ])('and %s changes nothing', async (_, migrateByApp, message) => {
    const { api, migrate, settings } = await start()

    await expect(migrate(migrateByApp)).rejects.toMatchObject({
      statusCode: 400,
      message: expect.stringContaining(message),
    })
    expect(await settings()).toEqual({ host: 'old' })
    expect(await listActivity(api)).toHaveLength(2)
  })

  it('runs again when the settings change during the migration', async () => {
    const { migrate, save, settings } = await start()
    const seen: unknown[] = []

    await migrate(async (config) => {
      seen.push(config.settings)
      if (seen.length === 1) await save({ host: 'new' })
      return { ...config.settings, mode: 'a' }
    })

    expect(seen).toEqual([{ host: 'old' }, { host: 'new' }])
    expect(await settings()).toEqual({ host: 'new', rows: '10', mode: 'a' })
  })

  it('fails when the settings keep changing', async () => {
    const { migrate, save, settings } = await start()
    let count = 0

    const migrated = migrate(async () => {
      await save({ host: `${++count}` })
      return {}
    })

    await expect(migrated).rejects.toMatchObject({ statusCode: 409 })
    expect(await settings()).toEqual({ host: '3' })
  })

  it('is not blamed for errors of the server', async () => {
    const { migrate } = await start()

    await expect(migrate(() => Promise.reject(new Error('disk')))).rejects.toThrow('disk')
  })
})
