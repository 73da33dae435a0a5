import { describe, expect, it } from 'vitest'
import { type Client, CONFIGS, type TestApp, useApp } from '../../../../test/support/app/app.ts'
import { installPlugin } from '../../../../test/support/app/plugin.ts'
import type { ConfigField } from '../plugins/schema.ts'
import { SECRET_MASK } from '../setting-rules.ts'

const URL_FIELD: ConfigField = { key: 'url', type: 'string' }
const SECRETS: ConfigField[] = [
  { key: 'headers', type: 'json', secret: true },
  { key: 'token', type: 'string', secret: true },
]
const MARKED = [{ ...URL_FIELD, address: true }, ...SECRETS, { key: 'note' }]
const UNMARKED = [URL_FIELD, ...SECRETS, { key: 'note' }]
const STORED = { url: 'https://api.test', headers: { auth: 'hunter2' }, token: 't', note: 'n' }
const AGAIN = { headers: '{"auth": "new"}', token: 'new' }

/** Creates a config whose settings the owner has stored, and a member of the project. */
async function startStored(config_schema: ConfigField[], settings: object = STORED) {
  const api = await useApp()
  const plugin = await installPlugin(api.db, { config_schema })
  const config = await createConfig(api, plugin)
  await patchForm(api, config, { settings })
  return { api, plugin, config, member: await api.as({}) }
}

/** Creates the path of a new config. */
async function createConfig(api: TestApp, plugin: number): Promise<string> {
  return `${CONFIGS}/${(await api.post(CONFIGS, { plugin })).body.id}`
}

async function storedSettings({ db, services, projectId }: TestApp) {
  const configs = db.selectFrom('plugin_configs').where('project_id', '=', projectId)
  const { settings } = await configs.select('settings').executeTakeFirstOrThrow()
  return JSON.parse(services.secrets.decryptText(settings))
}

const storedFiles = ({ db, projectId }: TestApp) =>
  db.selectFrom('attachments').where('project_id', '=', projectId).select('key').execute()

interface Form {
  readonly settings?: object
  readonly files?: Readonly<Record<string, string>>
  readonly removed?: readonly string[]
}

/** Sends a PATCH of the config as a form. */
function patchForm(client: Client, config: string, { settings, files = {}, removed = [] }: Form) {
  const parts = [
    ...(settings ? [['config', JSON.stringify(settings)] as const] : []),
    ...removed.map((key) => [`remove_attachment[${key}]`, 'true'] as const),
  ].map(([name, text]) => `--B\r\ncontent-disposition: form-data; name="${name}"\r\n\r\n${text}`)
  const uploads = Object.entries(files).map(
    ([key, text]) =>
      `--B\r\ncontent-disposition: form-data; name="add_attachment[${key}]"; filename="${key}.txt"\r\n\r\n${text}`,
  )
  const body = `${[...parts, ...uploads].join('\r\n')}\r\n--B--\r\n`
  const headers = { 'content-type': 'multipart/form-data; boundary=B' }
  return client.request('PATCH', config, body, headers)
}

const refused = (attr: string) => ({ status: 400, body: { code: 'secrets_required', attr } })

describe('changing the destination of a config', () => {
  it.each<[string, object]>([
    ['without its secrets', { url: 'https://evil.test' }],
    ['with masked secrets', { url: 'https://evil.test', headers: SECRET_MASK, token: SECRET_MASK }],
    ['with null secrets', { url: 'https://evil.test', headers: null, token: null }],
    ['with only some secrets', { url: 'https://evil.test', headers: {} }],
    ['to null', { url: null }],
  ])('is refused %s to members and owners, in settings and forms', async (_, settings) => {
    const { api, member, config } = await startStored(MARKED)
    const attr = Object.values(settings).some((value) => typeof value === 'object' && value)
      ? 'token'
      : 'headers'

    for (const client of [member, api]) {
      expect(await client.patch(`${config}/settings`, { settings })).toMatchObject(refused(attr))
      expect(await patchForm(client, config, { settings })).toMatchObject(refused(attr))
    }

    expect(await storedSettings(api)).toEqual(STORED)
  })

  it('names the changed setting and the missing secrets when refused', async () => {
    const { member, config } = await startStored(MARKED)

    const { body } = await member.patch(`${config}/settings`, {
      settings: { url: 'https://evil.test' },
    })

    expect(body.detail).toBe(
      'A change of url may send secrets elsewhere. Enter these again in the same request: headers, token.',
    )
  })

  it.each<[string, object, object]>([
    ['entered again', AGAIN, { headers: { auth: 'new' }, token: 'new' }],
    ['cleared', { headers: '', token: '' }, {}],
    ['sent with their stored values', { headers: STORED.headers, token: STORED.token }, STORED],
  ])('is allowed when the secrets are %s', async (_, secrets, expected) => {
    const { api, member, config } = await startStored(MARKED)

    const { status } = await member.patch(`${config}/settings`, {
      settings: { url: 'https://b.test', ...secrets },
    })

    expect(status).toBe(200)
    expect(await storedSettings(api)).toEqual({
      note: 'n',
      ...expected,
      url: 'https://b.test',
    })
  })

  it('is refused when there was no address before', async () => {
    const { api, member, config } = await startStored(MARKED, { headers: STORED.headers })

    const response = await member.patch(`${config}/settings`, {
      settings: { url: 'https://evil.test' },
    })

    expect(response).toMatchObject(refused('headers'))
    expect(await storedSettings(api)).toEqual({ headers: STORED.headers })
  })

  it('deletes values that the app no longer describes', async () => {
    const { api, plugin, member, config } = await startStored(
      [...MARKED, { key: 'old', secret: true }],
      {
        url: 'https://api.test',
        old: 'hunter2',
      },
    )
    await installPlugin(api.db, { config_schema: MARKED }, plugin)

    const { status } = await member.patch(`${config}/settings`, {
      settings: { url: 'https://b.test' },
    })

    expect(status).toBe(200)
    expect(await storedSettings(api)).toEqual({ url: 'https://b.test' })
  })

  it('is not triggered by other settings, equal values, the trash or a migration', async () => {
    const { api, member, config } = await startStored(MARKED)

    const responses = [
      await member.patch(`${config}/settings`, { settings: { note: 'other' } }),
      await member.patch(`${config}/settings`, { settings: { url: STORED.url, note: 'n' } }),
      await patchForm(member, config, { settings: { url: STORED.url, note: 'n' } }),
      await member.patch(config, { deleted: true }),
      await member.patch(config, { deleted: false, name: 'Restored', order: 3 }),
      await member.post(`${config}/migrate`, {}, { accept: 'application/json' }),
    ]

    expect(responses.map(({ status }) => status)).toEqual(responses.map(() => 200))
    expect(await storedSettings(api)).toEqual(STORED)
  })

  it('deletes the secrets when the app is switched and switched back', async () => {
    const { api, plugin, member, config } = await startStored(MARKED)

    await member.patch(config, { plugin: 4 })
    await member.patch(config, { plugin })
    await member.patch(`${config}/settings`, { settings: { url: 'https://evil.test' } })

    expect(await storedSettings(api)).toEqual({ url: 'https://evil.test' })
  })
})

describe('an app that marks no address', () => {
  it('requires the secrets for any setting that a member changes', async () => {
    const { api, member, config } = await startStored(UNMARKED)

    expect(await member.patch(`${config}/settings`, { settings: { note: 'x' } })).toMatchObject(
      refused('headers'),
    )
    expect(await patchForm(member, config, { settings: { url: STORED.url } })).toMatchObject(
      refused('headers'),
    )
    expect(
      (await member.patch(`${config}/settings`, { settings: { note: 'x', ...AGAIN } })).status,
    ).toBe(200)
    expect(await storedSettings(api)).toMatchObject({ note: 'x', token: 'new' })
  })

  it('lets members change only secrets, and admins any setting', async () => {
    const { api, member, config } = await startStored(UNMARKED)
    const admin = await api.as({ level: 8 })

    expect(
      (await member.patch(`${config}/settings`, { settings: { token: 'other' } })).status,
    ).toBe(200)
    expect(
      (await admin.patch(`${config}/settings`, { settings: { url: 'https://b.test' } })).status,
    ).toBe(200)

    expect(await storedSettings(api)).toEqual({
      ...STORED,
      url: 'https://b.test',
      token: 'other',
    })
  })
})

describe('files of a config', () => {
  const HOSTS: ConfigField = { key: 'hosts', type: 'attachment', address: true }
  const KEY_FILE: ConfigField = { key: 'key', type: 'attachment', secret: true }

  it.each<[string, ConfigField[]]>([
    ['an address', [HOSTS, ...SECRETS]],
    ['a setting of an app that marks no address', [{ ...HOSTS, address: false }, ...SECRETS]],
  ])('that are %s can only be changed together with the secrets', async (_, schema) => {
    const { member, config } = await startStored(schema, { token: 't' })
    const put = () =>
      member.request('PUT', `${config}/attachments/hosts`, 'evil.test', {
        'content-type': 'text/plain',
      })

    const first = await put()
    const form = await patchForm(member, config, {
      settings: { token: 'new' },
      files: { hosts: 'b.test' },
    })
    const responses = [
      await put(),
      await member.delete(`${config}/attachments/hosts`),
      await patchForm(member, config, { removed: ['hosts'] }),
    ]

    expect(first).toMatchObject(refused('token'))
    expect(first.body.detail).toContain('in one form, with PATCH of the config: token.')
    expect(form.status).toBe(200)
    for (const response of responses) expect(response).toMatchObject(refused('token'))
  })

  it('that are secret must be uploaded again or deleted', async () => {
    const { api, member, config } = await startStored([MARKED[0] as ConfigField, KEY_FILE], {
      url: 'a',
    })
    await patchForm(api, config, { files: { key: 'private' } })
    const settings = { url: 'https://evil.test' }

    expect(await member.patch(`${config}/settings`, { settings })).toMatchObject(refused('key'))
    expect(await patchForm(member, config, { settings })).toMatchObject(refused('key'))
    expect((await patchForm(member, config, { settings, files: { key: 'mine' } })).status).toBe(200)
    expect(
      (await patchForm(member, config, { settings: { url: 'c' }, removed: ['key'] })).status,
    ).toBe(200)
    expect((await member.get(`${config}/attachments`)).body).toEqual([])
  })

  it('that are secret are deleted when the app is switched', async () => {
    const { api, member, config } = await startStored([URL_FIELD, KEY_FILE], { url: 'a' })
    await patchForm(api, config, { files: { key: 'private' } })
    const other = await installPlugin(api.db, { config_schema: [URL_FIELD, KEY_FILE] })

    expect((await member.patch(config, { plugin: other })).status).toBe(200)

    expect(await storedFiles(api)).toEqual([])
  })

  it('that the app no longer describes are deleted', async () => {
    const { api, plugin, member, config } = await startStored(
      [MARKED[0] as ConfigField, KEY_FILE],
      {
        url: 'a',
      },
    )
    await patchForm(api, config, { files: { key: 'private' } })
    await installPlugin(api.db, { config_schema: MARKED }, plugin)

    await member.patch(`${config}/settings`, { settings: { url: 'b' } })

    expect(await storedFiles(api)).toEqual([])
  })

  it('that are an address drop settings that the app no longer describes, and log it', async () => {
    const { api, plugin, member, config } = await startStored([HOSTS, { key: 'old' }], { old: 'x' })
    await installPlugin(api.db, { config_schema: [HOSTS] }, plugin)

    await member.request('PUT', `${config}/attachments/hosts`, 'b.test', {
      'content-type': 'text/plain',
    })

    const { body } = await api.get(`${config}/activity`, { accept: 'application/json' })
    expect(await storedSettings(api)).toEqual({})
    expect(body.results.slice(0, 2)).toMatchObject([
      { activity: 'attachment_created' },
      { activity: 'config_updated', detail: { changes: [{ field: 'old', before: SECRET_MASK }] } },
    ])
  })
})

it('does not send the headers of HTTP JSON to a URL that a member enters', async () => {
  const api = await useApp()
  const config = await createConfig(api, 1)
  const settings = { url: 'https://api.test', headers: { authorization: 'hunter2' } }
  await api.patch(`${config}/settings`, { settings })
  const member = await api.as({})

  const response = await member.patch(`${config}/settings`, {
    settings: { url: 'https://evil.test' },
  })

  expect(response).toMatchObject(refused('headers'))
})
