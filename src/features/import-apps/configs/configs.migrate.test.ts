import { describe, expect, it } from 'vitest'
import { CONFIGS, startApp, type TestApp } from '../../../../test/app.ts'
import { installPlugin, type TestPlugin } from '../../../../test/plugin.ts'
import type { ConfigField } from '../plugins/schema.ts'
import { SECRET_MASK } from './setting-rules.ts'

const JSON_PLEASE = { accept: 'application/json' }

/** A config whose settings are as an older version of its app left them. */
async function startWith(settings: object, plugin: TestPlugin): Promise<TestApp> {
  const api = await startApp()
  await api.post(CONFIGS, { plugin: await installPlugin(api.db, plugin) })
  await api.db
    .updateTable('plugin_configs')
    .set({ settings: api.services.secrets.encryptText(JSON.stringify(settings)) })
    .execute()
  return api
}

async function storedSettings(api: TestApp) {
  const rows = await api.db.selectFrom('plugin_configs').select('settings').execute()
  return JSON.parse(api.services.secrets.decryptText(rows[0]?.settings ?? ''))
}

describe('migrating', () => {
  it('tells what it changed, and logs it', async () => {
    const config_schema = [{ key: 'rows', default: '10' }, { key: 'host' }]
    const api = await startWith({ host: 5 }, { config_schema, version: '2.0.0' })

    const { body } = await api.post(`${CONFIGS}/1/migrate`, { order: 4 }, JSON_PLEASE)

    expect(body.plugin_version).toBe('2.0.0')
    expect(body.changes).toEqual([
      { type: 'Plugin', action: 'changed', field: 'host', before: 5, after: '5' },
      { type: 'Plugin', action: 'created', field: 'rows', before: null, after: '10' },
    ])
    const { body: log } = await api.get(`${CONFIGS}/1/activity`, JSON_PLEASE)
    expect(log.results[0]).toMatchObject({
      activity: 'migrated',
      detail: { changes: body.changes },
    })
    expect((await api.get(`${CONFIGS}/1`)).body.order).toBe(0)
  })

  it('drops what the app no longer knows, without telling what it was', async () => {
    const api = await startWith({ old: 'hunter2', host: 'h' }, { config_schema: [{ key: 'host' }] })

    const { body, text } = await api.post(`${CONFIGS}/1/migrate`, {}, JSON_PLEASE)

    expect(body.changes).toMatchObject([{ field: 'old', before: SECRET_MASK, after: null }])
    expect(text).not.toContain('hunter2')
    expect(await storedSettings(api)).toEqual({ host: 'h' })
  })

  it('does nothing the second time', async () => {
    const config_schema: ConfigField[] = [
      { key: 'a', default: 'x' },
      { key: 'b', type: 'json' },
    ]
    const api = await startWith({ b: '{"c":1}', gone: 1 }, { config_schema })
    await api.post(`${CONFIGS}/1/migrate`)
    const { body: before } = await api.get(`${CONFIGS}/1`)

    const { status, body } = await api.post(`${CONFIGS}/1/migrate`, {}, JSON_PLEASE)

    expect(status).toBe(200)
    expect(body.changes).toEqual([])
    expect((await api.get(`${CONFIGS}/1`)).body).toEqual(before)
    expect(await api.db.selectFrom('activity').selectAll().execute()).toHaveLength(2)
  })

  it('has nothing to do for a plugin that is not installed', async () => {
    const api = await startApp()
    await api.post(CONFIGS, { plugin: 99 })

    const { status, body } = await api.post(`${CONFIGS}/1/migrate`, {}, JSON_PLEASE)

    expect(status).toBe(200)
    expect(body).toEqual({ plugin_version: '', changes: [] })
  })
})
