import { describe, expect, it } from 'vitest'
import { CONFIGS, useApp } from '../../../../test/support/app/app.ts'
import { installPlugin } from '../../../../test/support/app/plugin.ts'
import type { ConfigField } from '../plugins/schema.ts'
import { SECRET_MASK } from '../setting-rules.ts'

const SCHEMA: ConfigField[] = [
  { key: 'host', address: true },
  { key: 'path' },
  { key: 'mode', type: 'choice', choices: ['a', 'b'] },
  { key: 'token', secret: true },
  { key: 'file', type: 'attachment' },
]

async function start(settings?: object) {
  const api = await useApp()
  const plugin = await installPlugin(api.db, { config_schema: SCHEMA })
  const { body } = await api.post(CONFIGS, { plugin, config: settings })
  const config = `${CONFIGS}/${body.id}`
  const stored = async () => (await api.get(`${config}/settings`)).body.settings
  return { api, plugin, config, stored, body }
}

const FILLED = { host: 'h', path: 'p', token: 'hunter2' }

describe('config in a body', () => {
  it.each([
    ['an object', FILLED],
    ['JSON text', JSON.stringify(FILLED)],
  ])('sets the settings on create, as %s', async (_, config) => {
    const { api, plugin } = await start()

    const { status, body } = await api.post(CONFIGS, { plugin, config })

    expect(status).toBe(201)
    expect(JSON.parse(body.config)).toEqual({ host: 'h', path: 'p', token: SECRET_MASK })
  })

  it('replaces the settings on patch, except for secrets', async () => {
    const { api, config, stored } = await start(FILLED)

    const { status } = await api.patch(config, { config: { host: 'h', mode: 'b' } })

    expect(status).toBe(200)
    expect(await stored()).toEqual({ host: 'h', mode: 'b', token: SECRET_MASK })
  })

  it('changes nothing if the whole record is sent back', async () => {
    const { api, config } = await start(FILLED)
    await api.request('PUT', `${config}/attachments/file`, 'a,b', { 'content-type': 'text/csv' })
    const before = (await api.get(config)).body

    const { status, body } = await api.patch(config, before)

    expect(status).toBe(200)
    expect(body).toEqual(before)
    expect(JSON.parse(body.config).file).toMatchObject({ saved: true })
  })

  it('asks for secrets when the address changes', async () => {
    const { api, config, stored } = await start(FILLED)

    const kept = await api.patch(config, { config: { host: 'evil', token: SECRET_MASK } })
    const entered = await api.patch(config, { config: { host: 'other', token: 'new' } })

    expect(kept.body.code).toBe('secrets_required')
    expect(entered.status).toBe(200)
    expect(await stored()).toMatchObject({ host: 'other' })
  })

  it.each([
    ['text that is not JSON', 'host=h', 'config'],
    ['a list', [], 'config'],
    ['the text of a list', '[]', 'config'],
    ['a number', 7, 'config'],
    ['null', null, 'config'],
    ['an unknown setting', { port: '1' }, 'port'],
    ['a value of the wrong type', { path: 7 }, 'path'],
    ['a value that is no choice', { mode: 'c' }, 'mode'],
  ])('rejects %s', async (_, value, attr) => {
    const { api, config, plugin, stored } = await start(FILLED)

    const patched = await api.patch(config, { config: value })
    const created = await api.post(CONFIGS, { plugin, config: value })

    for (const { status, body } of [patched, created]) {
      expect([status, body.attr]).toEqual([400, attr])
    }
    expect(await stored()).toMatchObject({ host: 'h', path: 'p' })
  })

  it('accepts no settings of an app that is not installed', async () => {
    const { api } = await start()
    const plugin = 999_999

    expect((await api.post(CONFIGS, { plugin, config: '{}' })).status).toBe(201)
    expect((await api.post(CONFIGS, { plugin, config: FILLED })).status).toBe(409)
  })
})

describe('null in a body', () => {
  it("means the app's own name and description, and not deleted", async () => {
    const { api, plugin } = await start()
    const nothing = { name: null, description: null, deleted: null }

    const created = await api.post(CONFIGS, { plugin, ...nothing })
    const config = `${CONFIGS}/${created.body.id}`
    await api.patch(config, { name: 'Mine', description: 'Own', deleted: true })
    const patched = await api.patch(config, nothing)

    expect(created.status).toBe(201)
    for (const { body } of [created, patched]) {
      expect(body).toMatchObject({
        name: 'Test app',
        description: 'An app for tests.',
        deleted: false,
      })
    }
  })

  it.each(['plugin', 'enabled', 'order'])('is refused for %s', async (field) => {
    const { api, config } = await start()

    const { status, body } = await api.patch(config, { [field]: null })

    expect([status, body.code, body.attr]).toEqual([400, 'null', field])
  })
})
