import { describe, expect, it } from 'vitest'
import { CONFIGS, useApp } from '../../../../test/app.ts'
import { installPlugin } from '../../../../test/plugin.ts'
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
  it('has defaults where nothing is set, and nothing where there is no default', () => {
    const plugin = pluginWith({ key: 'a', default: '1' }, { key: 'b', default: '2' }, { key: 'c' })

    expect(toAppConfig(plugin, { a: '', b: 'x' }).config).toEqual({ a: '', b: 'x' })
    expect(toAppConfig(plugin, {}).config).toEqual({ a: '1', b: '2' })
  })

  it('has its secrets, and says which texts they are', () => {
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

  it('takes what its schema does not describe for secret', () => {
    expect(toAppConfig(pluginWith({ key: 'host' }), { old: 'hunter2' })).toEqual({
      config: { old: 'hunter2' },
      secrets: ['hunter2'],
    })
  })
})

const paged: ConfigField = { key: 'page', required_if: [['paging', 'page']] }
const choice: ConfigField = { key: 'paging', default: 'none' }

const MISSING: [what: string, fields: ConfigField[], settings: object, missing: string[]][] = [
  ['what is required', [{ key: 'a', required: true }], {}, ['a']],
  ['what is empty', [{ key: 'a', required: true }], { a: '' }, ['a']],
  ['nothing that is set', [{ key: 'a', required: true }], { a: 'x' }, []],
  ['nothing that is false', [{ key: 'a', type: 'json', required: true }], { a: false }, []],
  ['nothing with a default', [{ key: 'a', required: true, default: 'x' }], {}, []],
  ['nothing that is not required', [{ key: 'a' }], {}, []],
  ['what another setting requires', [choice, paged], { paging: 'page' }, ['page']],
  ['nothing if it requires otherwise', [choice, paged], {}, []],
  ['what is required by anything', [{ key: 'b', required_if: [['a']] }], { a: 'x' }, ['b']],
  ['nothing if that is not there', [{ key: 'b', required_if: [['a']] }], { a: '' }, []],
  ['nothing if one does not match', [{ key: 'b', required_if: [['a'], ['c', 1]] }], { a: 'x' }, []],
  ['nothing hidden', [{ key: 'b', required: true, visible_if: [['a', 'x']] }], { a: 'y' }, []],
  ['what is shown', [{ key: 'b', required: true, visible_if: [['a', 'x']] }], { a: 'x' }, ['b']],
  ['a file', [{ key: 'f', type: 'attachment', required: true }], {}, ['f']],
  ['no file that is there', [{ key: 'there', type: 'attachment', required: true }], {}, []],
  ['nothing that every object has', [{ key: 'b', required_if: [['toString']] }], {}, []],
]

describe('missing settings', () => {
  it.each(MISSING)('are %s', (_, fields, settings, missing) => {
    const plugin = pluginWith(...fields)

    expect(listMissingSettings(plugin, settings as never, { there: {} })).toEqual(missing)
  })

  it('are said by a config that is enabled, which may be', async () => {
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
