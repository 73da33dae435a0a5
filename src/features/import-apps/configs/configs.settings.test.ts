import { describe, expect, it } from 'vitest'
import { CONFIGS, startApp, type TestApp, useApp } from '../../../../test/app.ts'
import { installPlugin } from '../../../../test/plugin.ts'
import type { ConfigField } from '../plugins/schema.ts'

const SETTINGS = `${CONFIGS}/1/settings`

const SCHEMA: ConfigField[] = [
  { markdown: 'Only words.' },
  { key: 'host', name: 'Host', required: true },
  { key: 'path', type: 'string' },
  { key: 'mode', type: 'choice', choices: ['fast', 'slow'], default: 'fast' },
  { key: 'extra', type: 'json' },
  { key: 'file', type: 'attachment' },
]
const FILLED = { host: 'a.example', path: '/x', mode: 'fast', extra: { a: [1, null] } }

async function startFilled(): Promise<TestApp> {
  const api = await startApp()
  await api.post(CONFIGS, { plugin: await installPlugin(api.db, { config_schema: SCHEMA }) })
  await api.patch(SETTINGS, { settings: FILLED })
  return api
}

describe('settings', () => {
  it('are empty at first, with the schema to fill them by', async () => {
    const api = await startApp()
    await api.post(CONFIGS, { plugin: await installPlugin(api.db, { config_schema: SCHEMA }) })

    const { status, body } = await api.get(SETTINGS)

    expect(status).toBe(200)
    expect(body).toEqual({ settings: {}, config_schema: SCHEMA })
  })

  it('can be read back, and as text in the config', async () => {
    const api = await startFilled()

    const { body } = await api.get(SETTINGS)

    expect(body.settings).toEqual(FILLED)
    expect(JSON.parse((await api.get(`${CONFIGS}/1`)).body.config)).toEqual(FILLED)
  })

  it('are merged', async () => {
    const api = await startFilled()

    const { body } = await api.patch(SETTINGS, { settings: { path: '', mode: 'slow' } })

    expect(body.settings).toEqual({ ...FILLED, path: '', mode: 'slow' })
    expect((await api.get(SETTINGS)).body).toEqual(body)
  })

  it('go with null', async () => {
    const api = await startFilled()

    const { body } = await api.patch(SETTINGS, { settings: { path: null, extra: null } })

    expect(body.settings).toEqual({ host: 'a.example', mode: 'fast' })
  })

  it.each([
    ['{"b": 2}', { b: 2 }],
    [' [1] ', [1]],
    ['"text"', 'text'],
    [7, 7],
    [false, false],
  ])('of type json take %j', async (sent, stored) => {
    const api = await startFilled()

    const { body } = await api.patch(SETTINGS, { settings: { extra: sent } })

    expect(body.settings.extra).toEqual(stored)
  })

  it('that changed are in the activity', async () => {
    const api = await startFilled()
    await api.patch(SETTINGS, { settings: { host: 'b.example', path: null, mode: 'fast' } })

    const { body } = await api.get(`${CONFIGS}/1/activity`, { accept: 'application/json' })

    expect(body.results[0]).toMatchObject({ activity: 'config_updated' })
    expect(body.results[0].detail.changes).toEqual([
      { type: 'Plugin', action: 'changed', field: 'host', before: 'a.example', after: 'b.example' },
      { type: 'Plugin', action: 'deleted', field: 'path', before: '/x', after: null },
    ])
  })

  it('that stay the same are no change', async () => {
    const api = await startFilled()
    const { body: before } = await api.get(`${CONFIGS}/1`)

    await api.patch(SETTINGS, { settings: FILLED })

    expect((await api.get(`${CONFIGS}/1`)).body).toEqual(before)
    expect(await api.db.selectFrom('activity').selectAll().execute()).toHaveLength(2)
  })

  it.each([
    ['host', null, 'null'],
    ['host', '', 'blank'],
    ['host', 5, 'invalid_input'],
    ['path', ['x'], 'invalid_input'],
    ['path', false, 'invalid_input'],
    ['mode', 'medium', 'invalid_choice'],
    ['mode', '', 'invalid_choice'],
    ['mode', 1, 'invalid_input'],
    ['extra', '{"a":', 'invalid_input'],
    ['extra', '['.repeat(500_000), 'invalid_input'],
    ['extra', `${'['.repeat(70)}${']'.repeat(70)}`, 'invalid_input'],
    ['file', 'text', 'invalid_input'],
    ['file', null, 'invalid_input'],
    ['other', 'x', 'invalid_input'],
    ['markdown', 'x', 'invalid_input'],
    ['constructor', 'x', 'invalid_input'],
  ])('refuse %s to be %.20j', async (attr, value, code) => {
    const api = await startFilled()

    const refused = await api.patch(SETTINGS, { settings: { path: '/y', [attr]: value } })

    expect(refused).toMatchObject({ status: 400, body: { attr, code } })
    expect((await api.get(SETTINGS)).body.settings).toEqual(FILLED)
    expect(await api.db.selectFrom('activity').selectAll().execute()).toHaveLength(2)
  })

  it.each([
    [{}, 'required'],
    [{ settings: null }, 'null'],
    [{ settings: [] }, 'not_a_dict'],
    [{ settings: 'x' }, 'not_a_dict'],
  ])('refuse the body %j', async (body, code) => {
    const api = await startFilled()

    expect(await api.patch(SETTINGS, body)).toMatchObject({
      status: 400,
      body: { attr: 'settings', code },
    })
  })

  it('cannot be poisoned', async () => {
    const api = await startFilled()

    const refused = await api.patch(SETTINGS, '{"settings": {"__proto__": {"host": "evil"}}}')

    expect(refused).toMatchObject({ status: 400, body: { attr: '__proto__' } })
    expect(({} as { host?: string }).host).toBeUndefined()
  })

  it('wait for a plugin that is not installed', async () => {
    const api = await useApp()
    const { body: config } = await api.post(CONFIGS, { plugin: 999_999 })
    const settings = `${CONFIGS}/${config.id}/settings`

    expect((await api.get(settings)).body).toEqual({ settings: {}, config_schema: [] })
    expect(await api.patch(settings, { settings: {} })).toMatchObject({
      status: 409,
      body: { code: 'conflict' },
    })
  })
})
