import { randomBytes } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { CONFIGS, type TestApp, useApp } from '../../../../test/support/app/app.ts'
import { sendBody, toForm } from '../../../../test/support/app/files.ts'
import { installPlugin } from '../../../../test/support/app/plugin.ts'
import { listActivity } from '../../../../test/support/data/activity.ts'
import type { ConfigField } from '../plugins/schema.ts'
import { SECRET_MASK } from '../setting-rules.ts'

const SCHEMA: ConfigField[] = [
  { key: 'host' },
  { key: 'path' },
  { key: 'token', secret: true },
  { key: 'file', type: 'attachment' },
]
type Parts = Parameters<typeof toForm>[0]

async function start() {
  const api = await useApp()
  const plugin = String(await installPlugin(api.db, { config_schema: SCHEMA }))
  const post = (parts: Parts) => sendBody(api, 'POST', CONFIGS, toForm(parts))
  return { api, plugin, post }
}

async function startFilled() {
  const { api, plugin, post } = await start()
  const settings = JSON.stringify({ host: 'h', path: 'p', token: 'hunter2' })
  const file = fileOf('a.csv')
  const { body } = await post({ plugin, config: settings, 'add_attachment[file]': file })
  const config = `${CONFIGS}/${body.id}`
  const patch = (parts: Parts) => sendBody(api, 'PATCH', config, toForm(parts))
  return { api, plugin, config, patch }
}

const fileOf = (name: string, content: string | Uint8Array<ArrayBuffer> = 'a,b'): File =>
  new File([content], name, { type: 'text/csv' })

/** Returns the settings of the project's only config. */
async function storedSettings({ db, services, projectId }: TestApp) {
  const configs = db.selectFrom('plugin_configs').where('project_id', '=', projectId)
  const { settings } = await configs.select('settings').executeTakeFirstOrThrow()
  return JSON.parse(services.secrets.decryptText(settings))
}

const listActivities = async (api: TestApp): Promise<string[]> =>
  (await listActivity(api)).map(({ activity }) => activity).toReversed()

const filesOf = ({ db, projectId }: TestApp) =>
  db.selectFrom('attachments').selectAll().where('project_id', '=', projectId).execute()

describe('a form', () => {
  it('creates a config with settings and files', async () => {
    const { api, plugin, post } = await start()

    const { status, body } = await post({
      'add_attachment[file]': fileOf('a.csv', randomBytes(1_500_000)),
      plugin,
      order: '7',
      enabled: 'on',
      name: ' Mine ',
      config: '{"host":"h","token":"hunter2"}',
    })

    expect(status).toBe(201)
    expect(body).toMatchObject({ order: 7, enabled: true, name: 'Mine', error: '' })
    expect(JSON.parse(body.config)).toEqual({
      host: 'h',
      token: SECRET_MASK,
      file: {
        uid: expect.any(String),
        saved: true,
        size: 1_500_000,
        name: 'a.csv',
        type: 'text/csv',
      },
    })
    expect(await storedSettings(api)).toEqual({ host: 'h', token: 'hunter2' })
    const activities = ['created', 'config_updated', 'enabled', 'attachment_created']
    expect(await listActivities(api)).toEqual(activities.toReversed())
  })

  it('changes only the fields and files that it contains', async () => {
    const { api, config, patch } = await startFilled()
    const { body: before } = await api.get(config)

    const { status, body } = await patch({ order: '3' })

    expect(status).toBe(200)
    expect(body).toEqual({ ...before, order: 3, updated_at: body.updated_at })
  })

  it('replaces all settings except the secrets', async () => {
    const { api, patch } = await startFilled()

    const config = JSON.stringify({ host: 'other', token: null, file: { uid: 'x', saved: true } })
    await patch({ config })

    expect(await storedSettings(api)).toEqual({ host: 'other', token: 'hunter2' })
    expect((await listActivities(api))[0]).toBe('config_updated')
  })

  it.each([
    ['{"token":"new"}', { token: 'new' }],
    ['{"token":""}', {}],
    [`{"token":"${SECRET_MASK}"}`, { token: 'hunter2' }],
    ['{}', { token: 'hunter2' }],
  ])('with the settings %s stores %j', async (config, left) => {
    const { api, patch } = await startFilled()

    expect((await patch({ config })).status).toBe(200)
    expect(await storedSettings(api)).toEqual(left)
  })

  it('replaces and deletes files', async () => {
    const { api, patch } = await startFilled()

    const replaced = await patch({ 'add_attachment[file]': fileOf('b.csv') })
    const removed = await patch({ 'remove_attachment[file]': 'true' })
    const again = await patch({ 'remove_attachment[file]': 'true' })

    expect(JSON.parse(replaced.body.config).file.name).toBe('b.csv')
    expect(JSON.parse(removed.body.config).file).toBeUndefined()
    expect(again.status).toBe(200)
    expect(await filesOf(api)).toEqual([])
    expect((await listActivities(api)).slice(0, 2)).toEqual([
      'attachment_deleted',
      'attachment_updated',
    ])
  })

  it.each(['application/octet-stream', 'text/csv'])(
    'ignores an empty file of type %s without a name',
    async (type) => {
      const { api, patch } = await startFilled()

      const { status, body } = await patch({ 'add_attachment[file]': new File([], '', { type }) })

      expect(status).toBe(200)
      expect(JSON.parse(body.config).file.name).toBe('a.csv')
      expect(await filesOf(api)).toHaveLength(1)
    },
  )

  it.each([
    ['enabled', 'True', true],
    ['enabled', '1', true],
    ['enabled', 'no', false],
    ['deleted', 'y', true],
    ['order', ' 5.0 ', 5],
    ['name', '7', '7'],
    ['other', 'x', undefined],
  ])('converts %s %j', async (field, text, value) => {
    const { patch } = await startFilled()

    const { status, body } = await patch({ [field]: text })

    expect({ status, value: body[field] }).toEqual({ status: 200, value })
  })

  it.each([
    ['enabled', 'maybe', { code: 'invalid_input', attr: 'enabled' }],
    ['order', 'x', { code: 'invalid_input', attr: 'order' }],
    ['order', '2147483648', { code: 'max_value', attr: 'order' }],
    ['name', 'x'.repeat(401), { code: 'max_length', attr: 'name' }],
    ['name', '\0', { code: 'null_characters_not_allowed', attr: 'name' }],
    ['config', '{', { code: 'invalid_input', attr: 'config' }],
    ['config', '[]', { code: 'not_a_dict', attr: 'config' }],
    ['config', '{"other":"x"}', { code: 'invalid_input', attr: 'other' }],
    ['config', '{"host":5}', { code: 'invalid_input', attr: 'host' }],
    ['add_attachment[file]', 'text', { code: 'invalid_input', attr: 'file' }],
    ['add_attachment[host]', fileOf('x'), { code: 'invalid_input', attr: 'host' }],
    ['add_attachment[]', fileOf('x'), { code: 'invalid_input', attr: '' }],
    ['add_attachment[__proto__]', fileOf('x'), { code: 'invalid_input', attr: '__proto__' }],
    ['__proto__', 'x', { code: 'parse_error' }],
  ])('is refused for %s %.20j and changes nothing', async (name, part, refusal) => {
    const { api, config, patch } = await startFilled()
    const { body: before } = await api.get(config)

    const form = { 'add_attachment[file]': fileOf('new.csv'), order: '9', [name]: part }
    const { status, body } = await patch(form)

    expect(status).toBe(400)
    expect(body).toMatchObject(refusal)
    expect((await api.get(config)).body).toEqual(before)
    expect(await filesOf(api)).toMatchObject([{ file_name: 'a.csv' }])
  })

  it('requires a plugin to create a config', async () => {
    const { api, post } = await start()

    const { status, body } = await post({ order: '1', 'add_attachment[file]': fileOf('a') })

    expect(status).toBe(400)
    expect(body).toMatchObject({ code: 'required', attr: 'plugin' })
    expect(await filesOf(api)).toEqual([])
  })

  it('can name an uninstalled plugin, but without settings and files', async () => {
    const { api, post } = await start()

    expect((await post({ plugin: '99', config: '{}' })).status).toBe(201)
    expect((await post({ plugin: '99', config: '{"a":"b"}' })).status).toBe(409)
    expect((await post({ plugin: '99', 'add_attachment[file]': fileOf('a') })).status).toBe(409)
    expect((await api.get(CONFIGS)).body.count).toBe(1)
    expect(await filesOf(api)).toEqual([])
  })

  it.each([
    ['has no boundary', 'multipart/form-data', 'x'],
    ['has no end', 'multipart/form-data; boundary=x', '--x\r\ncontent-disposition: form-data'],
    ['is JSON', 'multipart/form-data; boundary=x', '{"plugin": 1}'],
  ])('that %s is refused', async (_, type, body) => {
    const { api } = await start()

    const response = await sendBody(api, 'POST', CONFIGS, body, { 'content-type': type })

    expect(response).toMatchObject({ status: 400 })
    expect((await api.get(CONFIGS)).body.count).toBe(0)
  })

  it('with too many parts or too long a text is refused', async () => {
    const { api, plugin } = await start()
    const many = toForm({ plugin })
    for (let part = 0; part < 200; part++) many.append(`x${part}`, '')
    const long = toForm({ plugin, name: 'x'.repeat(1_100_000) })

    for (const form of [many, long]) {
      const { status, body } = await sendBody(api, 'POST', CONFIGS, form)
      expect({ status, code: body.code }).toEqual({ status: 413, code: 'request_too_large' })
    }
    expect((await api.get(CONFIGS)).body.count).toBe(0)
  })

  it('is accepted only to create and patch configs', async () => {
    const { api, plugin, config } = await startFilled()

    for (const path of [`${config}/migrate`, 'dashboards']) {
      expect((await sendBody(api, 'POST', path, toForm({ plugin }))).status).toBe(415)
    }
    const urlencoded = { 'content-type': 'application/x-www-form-urlencoded' }
    expect((await sendBody(api, 'POST', CONFIGS, `plugin=${plugin}`, urlencoded)).status).toBe(415)
  })

  it('for an unknown config is refused before it is read', async () => {
    const { api } = await start()

    const form = toForm({ 'add_attachment[file]': fileOf('a'), order: 'x' })
    const { status } = await sendBody(api, 'PATCH', `${CONFIGS}/9`, form)

    expect(status).toBe(404)
    expect(await filesOf(api)).toEqual([])
  })
})
