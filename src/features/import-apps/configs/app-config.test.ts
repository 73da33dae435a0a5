import { describe, expect, it } from 'vitest'
import { CONFIGS, useApp } from '../../../../test/support/app/app.ts'
import { installPlugin } from '../../../../test/support/app/plugin.ts'
import type { ConfigField, Plugin } from '../plugins/schema.ts'
import { listMissingSettings, toAppConfig } from './app-config.ts'

const pluginWith = (...config_schema: ConfigField[]): Plugin => ({
  id: 1,
  name: 'App',
  version: '1.0.0',
  description: '',
  config_schema: [{ markdown: 'Only words.' }, ...config_schema],
  public_jobs: {},
  capabilities: {},
})

describe('the config that an app gets', () => {
  it('has the defaults of unset settings', () => {
    const plugin = pluginWith({ key: 'a', default: '1' }, { key: 'b', default: '2' }, { key: 'c' })

    expect(toAppConfig(plugin, { a: '', b: 'x' }).config).toEqual({ a: '', b: 'x' })
    expect(toAppConfig(plugin, {}).config).toEqual({ a: '1', b: '2' })
  })

  it('has plain secrets and lists the texts to mask', () => {
    const plugin = pluginWith(
      { key: 'token', secret: true },
      { key: 'headers', type: 'json', secret: true },
      { key: 'empty', secret: true, default: '' },
      { key: 'host' },
    )
    const headers = { Authorization: 'Bearer x', list: ['y', 5, null, { z: 'line\n' }] }

    const { config, secrets } = toAppConfig(plugin, { token: 'hunter2', headers, host: 'h' })

    expect(config).toEqual({ token: 'hunter2', headers, host: 'h', empty: '' })
    expect(secrets).toEqual(['hunter2', 'Bearer x', 'y', 'line\n', 'line\\n'])
  })

  it('treats settings that the schema does not describe as secret', () => {
    expect(toAppConfig(pluginWith({ key: 'host' }), { old: 'hunter2' })).toEqual({
      config: { old: 'hunter2' },
      secrets: ['hunter2'],
    })
  })
})

const paged: ConfigField = { key: 'page', required_if: [['paging', 'page']] }
const choice: ConfigField = { key: 'paging', default: 'none' }

const MISSING: [what: string, fields: ConfigField[], settings: object, missing: string[]][] = [
  ['required settings without a value', [{ key: 'a', required: true }], {}, ['a']],
  ['required settings that are empty', [{ key: 'a', required: true }], { a: '' }, ['a']],
  ['no settings that have a value', [{ key: 'a', required: true }], { a: 'x' }, []],
  ['no settings that are false', [{ key: 'a', type: 'json', required: true }], { a: false }, []],
  ['no settings with a default', [{ key: 'a', required: true, default: 'x' }], {}, []],
  ['no optional settings', [{ key: 'a' }], {}, []],
  ['settings that the value of another requires', [choice, paged], { paging: 'page' }, ['page']],
  ['no settings that another value would require', [choice, paged], {}, []],
  [
    'settings that any value of another requires',
    [{ key: 'b', required_if: [['a']] }],
    { a: 'x' },
    ['b'],
  ],
  [
    'no settings that an empty one would require',
    [{ key: 'b', required_if: [['a']] }],
    { a: '' },
    [],
  ],
  [
    'no settings if one of several conditions fails',
    [{ key: 'b', required_if: [['a'], ['c', 1]] }],
    { a: 'x' },
    [],
  ],
  ['no hidden settings', [{ key: 'b', required: true, visible_if: [['a', 'x']] }], { a: 'y' }, []],
  ['visible settings', [{ key: 'b', required: true, visible_if: [['a', 'x']] }], { a: 'x' }, ['b']],
  [
    'settings visible with one of several values',
    [{ key: 'b', required: true, visible_if: [['a', 'x', 'y']] }],
    { a: 'y' },
    ['b'],
  ],
  ['required files', [{ key: 'f', type: 'attachment', required: true }], {}, ['f']],
  ['no files that were uploaded', [{ key: 'there', type: 'attachment', required: true }], {}, []],
  [
    'no settings required by a property of every object',
    [{ key: 'b', required_if: [['toString']] }],
    {},
    [],
  ],
]

describe('missing settings', () => {
  it.each(MISSING)('are %s', (_, fields, settings, missing) => {
    const plugin = pluginWith(...fields)

    expect(listMissingSettings(plugin, settings as never, { there: {} })).toEqual(missing)
  })

  it('are named by an enabled config', async () => {
    const api = await useApp()
    const config_schema = ['url', 'key'].map((key) => ({ key, required: true }))
    const plugin = await installPlugin(api.db, { config_schema })

    const created = await api.post(CONFIGS, { plugin, enabled: true })
    const config = `${CONFIGS}/${created.body.id}`
    const disabled = await api.patch(config, { enabled: false })
    await api.patch(`${config}/settings`, { settings: { url: 'x' } })
    const enabled = await api.patch(config, { enabled: true })
    await api.patch(`${config}/settings`, { settings: { key: 'x' } })

    expect(created).toMatchObject({
      status: 201,
      body: { error: 'Required settings are missing: url, key.' },
    })
    expect(disabled.body.error).toBe('')
    expect(enabled).toMatchObject({
      status: 200,
      body: { error: 'Required settings are missing: key.' },
    })
    expect((await api.get(config)).body.error).toBe('')
  })
})
