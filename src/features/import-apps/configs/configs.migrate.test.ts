import { describe, expect, it } from 'vitest'
import { CONFIGS, type TestApp, useApp } from '../../../../test/support/app/app.ts'
import { installPlugin, type TestPlugin } from '../../../../test/support/app/plugin.ts'
import { listActivity } from '../../../../test/support/data/activity.ts'
import { createConfig } from '../../../../test/support/data/configs.ts'
import type { ConfigField } from '../plugins/schema.ts'
import { SECRET_MASK } from '../setting-rules.ts'

const ACCEPT_JSON = { accept: 'application/json' }

/** Creates a config with settings of an older version of its app. */
async function startWith(settings: object, plugin: TestPlugin) {
  const api = await useApp()
  const { id } = await createConfig(api, { plugin: await installPlugin(api.db, plugin) })
  await api.db
    .updateTable('plugin_configs')
    .set({ settings: api.services.secrets.encryptText(JSON.stringify(settings)) })
    .where('id', '=', id)
    .execute()
  return { api, path: `${CONFIGS}/${id}` }
}

async function storedSettings({ db, services, projectId }: TestApp) {
  const configs = db.selectFrom('plugin_configs').where('project_id', '=', projectId)
  const { settings } = await configs.select('settings').executeTakeFirstOrThrow()
  return JSON.parse(services.secrets.decryptText(settings))
}

describe('migrating a config', () => {
  it('returns and logs the changes', async () => {
    const config_schema = [{ key: 'rows', default: '10' }, { key: 'host' }]
    const { api, path } = await startWith({ host: 5 }, { config_schema, version: '2.0.0' })

    const { body } = await api.post(`${path}/migrate`, { order: 4 }, ACCEPT_JSON)

    expect(body.plugin_version).toBe('2.0.0')
    expect(body.changes).toEqual([
      { type: 'Plugin', action: 'changed', field: 'host', before: 5, after: '5' },
      { type: 'Plugin', action: 'created', field: 'rows', before: null, after: '10' },
    ])
    const { body: log } = await api.get(`${path}/activity`, ACCEPT_JSON)
    expect(log.results[0]).toMatchObject({
      activity: 'migrated',
      detail: { changes: body.changes },
    })
    expect((await api.get(path)).body.order).toBe(0)
  })

  it('drops settings that the app no longer describes, and hides their values', async () => {
    const { api, path } = await startWith(
      { old: 'hunter2', host: 'h' },
      { config_schema: [{ key: 'host' }] },
    )

    const { body, text } = await api.post(`${path}/migrate`, {}, ACCEPT_JSON)

    expect(body.changes).toMatchObject([{ field: 'old', before: SECRET_MASK, after: null }])
    expect(text).not.toContain('hunter2')
    expect(await storedSettings(api)).toEqual({ host: 'h' })
  })

  it('changes nothing the second time', async () => {
    const config_schema: ConfigField[] = [
      { key: 'a', default: 'x' },
      { key: 'b', type: 'json' },
    ]
    const { api, path } = await startWith({ b: '{"c":1}', gone: 1 }, { config_schema })
    await api.post(`${path}/migrate`)
    const { body: before } = await api.get(path)

    const { status, body } = await api.post(`${path}/migrate`, {}, ACCEPT_JSON)

    expect(status).toBe(200)
    expect(body.changes).toEqual([])
    expect((await api.get(path)).body).toEqual(before)
    expect(await listActivity(api)).toHaveLength(2)
  })

  it('changes nothing while the plugin is not installed', async () => {
    const api = await useApp()
    const { id } = await createConfig(api, { plugin: 99 })

    const { status, body } = await api.post(`${CONFIGS}/${id}/migrate`, {}, ACCEPT_JSON)

    expect(status).toBe(200)
    expect(body).toEqual({ plugin_version: '', changes: [] })
  })
})
