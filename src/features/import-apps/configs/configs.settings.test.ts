import { describe, expect, it } from 'vitest'
import { CONFIGS, type TestApp, useApp } from '../../../../test/support/app/app.ts'
import { installPlugin } from '../../../../test/support/app/plugin.ts'
import { listActivity } from '../../../../test/support/data/activity.ts'
import { createConfig } from '../../../../test/support/data/configs.ts'
import type { ConfigField } from '../plugins/schema.ts'

const SCHEMA: ConfigField[] = [
  { markdown: 'Only words.' },
  { key: 'host', name: 'Host', required: true },
  { key: 'path', type: 'string' },
  { key: 'mode', type: 'choice', choices: ['fast', 'slow'], default: 'fast' },
  { key: 'extra', type: 'json' },
  { key: 'file', type: 'attachment' },
]
const FILLED = { host: 'a.example', path: '/x', mode: 'fast', extra: { a: [1, null] } }

interface ConfiguredApp extends TestApp {
  /** The path of the config. */
  readonly config: string
}

async function start(): Promise<ConfiguredApp> {
  const api = await useApp()
  const plugin = await installPlugin(api.db, { config_schema: SCHEMA })
  const { id } = await createConfig(api, { plugin })
  return { ...api, config: `${CONFIGS}/${id}` }
}

async function startFilled(): Promise<ConfiguredApp> {
  const api = await start()
  await api.patch(`${api.config}/settings`, { settings: FILLED })
  return api
}

describe('settings', () => {
  it('are empty at first and come with their schema', async () => {
    const api = await start()

    const { status, body } = await api.get(`${api.config}/settings`)

    expect(status).toBe(200)
    expect(body).toEqual({ settings: {}, config_schema: SCHEMA })
  })

  it('are read back, also as text in the config', async () => {
    const api = await startFilled()

    const { body } = await api.get(`${api.config}/settings`)

    expect(body.settings).toEqual(FILLED)
    expect(JSON.parse((await api.get(api.config)).body.config)).toEqual(FILLED)
  })

  it('are merged with the stored ones', async () => {
    const api = await startFilled()

    const { body } = await api.patch(`${api.config}/settings`, {
      settings: { path: '', mode: 'slow' },
    })

    expect(body.settings).toEqual({ ...FILLED, path: '', mode: 'slow' })
    expect((await api.get(`${api.config}/settings`)).body).toEqual(body)
  })

  it('are deleted by null', async () => {
    const api = await startFilled()

    const { body } = await api.patch(`${api.config}/settings`, {
      settings: { path: null, extra: null },
    })

    expect(body.settings).toEqual({ host: 'a.example', mode: 'fast' })
  })

  it.each([
    ['{"b": 2}', { b: 2 }],
    [' [1] ', [1]],
    ['"text"', 'text'],
    [7, 7],
    [false, false],
  ])('of type json accept %j', async (sent, stored) => {
    const api = await startFilled()

    const { body } = await api.patch(`${api.config}/settings`, { settings: { extra: sent } })

    expect(body.settings.extra).toEqual(stored)
  })

  it('log their changes', async () => {
    const api = await startFilled()
    await api.patch(`${api.config}/settings`, {
      settings: { host: 'b.example', path: null, mode: 'fast' },
    })

    const { body } = await api.get(`${api.config}/activity`, { accept: 'application/json' })

    expect(body.results[0]).toMatchObject({ activity: 'config_updated' })
    expect(body.results[0].detail.changes).toEqual([
      { type: 'Plugin', action: 'changed', field: 'host', before: 'a.example', after: 'b.example' },
      { type: 'Plugin', action: 'deleted', field: 'path', before: '/x', after: null },
    ])
  })

  it('are not changed by equal values', async () => {
    const api = await startFilled()
    const { body: before } = await api.get(api.config)

    await api.patch(`${api.config}/settings`, { settings: FILLED })

    expect((await api.get(api.config)).body).toEqual(before)
    expect(await listActivity(api)).toHaveLength(2)
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
  ])('reject %s as %.20j', async (attr, value, code) => {
    const api = await startFilled()

    const refused = await api.patch(`${api.config}/settings`, {
      settings: { path: '/y', [attr]: value },
    })

    expect(refused).toMatchObject({ status: 400, body: { attr, code } })
    expect((await api.get(`${api.config}/settings`)).body.settings).toEqual(FILLED)
    expect(await listActivity(api)).toHaveLength(2)
  })

  it.each([
    [{}, 'required'],
    [{ settings: null }, 'null'],
    [{ settings: [] }, 'not_a_dict'],
    [{ settings: 'x' }, 'not_a_dict'],
  ])('reject the body %j', async (body, code) => {
    const api = await startFilled()

    expect(await api.patch(`${api.config}/settings`, body)).toMatchObject({
      status: 400,
      body: { attr: 'settings', code },
    })
  })

  it('cannot pollute prototypes', async () => {
    const api = await startFilled()

    const refused = await api.patch(
      `${api.config}/settings`,
      '{"settings": {"__proto__": {"host": "evil"}}}',
    )

    expect(refused).toMatchObject({ status: 400, body: { attr: '__proto__' } })
    expect(({} as { host?: string }).host).toBeUndefined()
  })

  it('cannot be changed while the plugin is not installed', async () => {
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
