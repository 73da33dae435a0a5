import { describe, expect, it } from 'vitest'
import { type Client, CONFIGS, startApp, type TestApp } from '../../../../test/support/app/app.ts'
import { installPlugin } from '../../../../test/support/app/plugin.ts'
import type { ConfigField } from '../plugins/schema.ts'
import { SECRET_MASK } from '../setting-rules.ts'

const SETTINGS = `${CONFIGS}/1/settings`
const FILE = `${CONFIGS}/1/attachments`

const URL_FIELD: ConfigField = { key: 'url', type: 'string' }
const SECRETS: ConfigField[] = [
  { key: 'headers', type: 'json', secret: true },
  { key: 'token', type: 'string', secret: true },
]
const MARKED = [{ ...URL_FIELD, address: true }, ...SECRETS, { key: 'note' }]
const UNMARKED = [URL_FIELD, ...SECRETS, { key: 'note' }]
const STORED = { url: 'https://api.test', headers: { auth: 'hunter2' }, token: 't', note: 'n' }
const AGAIN = { headers: '{"auth": "new"}', token: 'new' }

/** Config 1, whose settings the owner has stored, and a member of the project. */
async function startStored(config_schema: ConfigField[], settings: object = STORED) {
  const api = await startApp()
  const plugin = await installPlugin(api.db, { config_schema })
  await api.post(CONFIGS, { plugin })
  await patchForm(api, { settings })
  return { api, plugin, member: await api.as({}) }
}

async function storedSettings(api: TestApp) {
  const rows = await api.db.selectFrom('plugin_configs').select('settings').execute()
  return JSON.parse(api.services.secrets.decryptText(rows[0]?.settings ?? ''))
}

interface Form {
  readonly settings?: object
  readonly files?: Readonly<Record<string, string>>
  readonly removed?: readonly string[]
}

/** Sends a PATCH of the config as a form. */
function patchForm(client: Client, { settings, files = {}, removed = [] }: Form) {
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
  return client.request('PATCH', `${CONFIGS}/1`, body, headers)
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
    const { api, member } = await startStored(MARKED)
    const attr = Object.values(settings).some((value) => typeof value === 'object' && value)
      ? 'token'
      : 'headers'

    for (const client of [member, api]) {
      expect(await client.patch(SETTINGS, { settings })).toMatchObject(refused(attr))
      expect(await patchForm(client, { settings })).toMatchObject(refused(attr))
    }

    expect(await storedSettings(api)).toEqual(STORED)
  })

  it('names the changed setting and the missing secrets when refused', async () => {
    const { member } = await startStored(MARKED)

    const { body } = await member.patch(SETTINGS, { settings: { url: 'https://evil.test' } })

    expect(body.detail).toBe(
      'A change of url may send secrets elsewhere. Enter these again in the same request: headers, token.',
    )
  })

  it.each<[string, object, object]>([
    ['entered again', AGAIN, { headers: { auth: 'new' }, token: 'new' }],
    ['cleared', { headers: '', token: '' }, {}],
    ['sent with their stored values', { headers: STORED.headers, token: STORED.token }, STORED],
  ])('is allowed when the secrets are %s', async (_, secrets, expected) => {
    const { api, member } = await startStored(MARKED)

    const { status } = await member.patch(SETTINGS, {
      settings: { url: 'https://b.test', ...secrets },
    })

    expect(status).toBe(200)
    expect(await storedSettings(api)).toEqual({ note: 'n', ...expected, url: 'https://b.test' })
  })

  it('is refused when there was no address before', async () => {
    const { api, member } = await startStored(MARKED, { headers: STORED.headers })

    const response = await member.patch(SETTINGS, { settings: { url: 'https://evil.test' } })

    expect(response).toMatchObject(refused('headers'))
    expect(await storedSettings(api)).toEqual({ headers: STORED.headers })
  })

  it('deletes values that the app no longer describes', async () => {
    const { api, plugin, member } = await startStored([...MARKED, { key: 'old', secret: true }], {
      url: 'https://api.test',
      old: 'hunter2',
    })
    await installPlugin(api.db, { config_schema: MARKED }, plugin)

    const { status } = await member.patch(SETTINGS, { settings: { url: 'https://b.test' } })

    expect(status).toBe(200)
    expect(await storedSettings(api)).toEqual({ url: 'https://b.test' })
  })

  it('is not triggered by other settings, equal values, the trash or a migration', async () => {
    const { api, member } = await startStored(MARKED)

    const responses = [
      await member.patch(SETTINGS, { settings: { note: 'other' } }),
      await member.patch(SETTINGS, { settings: { url: STORED.url, note: 'n' } }),
      await patchForm(member, { settings: { url: STORED.url, note: 'n' } }),
      await member.patch(`${CONFIGS}/1`, { deleted: true }),
      await member.patch(`${CONFIGS}/1`, { deleted: false, name: 'Restored', order: 3 }),
      await member.post(`${CONFIGS}/1/migrate`, {}, { accept: 'application/json' }),
    ]

    expect(responses.map(({ status }) => status)).toEqual(responses.map(() => 200))
    expect(await storedSettings(api)).toEqual(STORED)
  })

  it('deletes the secrets when the app is switched and switched back', async () => {
    const { api, plugin, member } = await startStored(MARKED)

    await member.patch(`${CONFIGS}/1`, { plugin: 4 })
    await member.patch(`${CONFIGS}/1`, { plugin })
    await member.patch(SETTINGS, { settings: { url: 'https://evil.test' } })

    expect(await storedSettings(api)).toEqual({ url: 'https://evil.test' })
  })
})

describe('an app that marks no address', () => {
  it('requires the secrets for any setting that a member changes', async () => {
    const { api, member } = await startStored(UNMARKED)

    expect(await member.patch(SETTINGS, { settings: { note: 'x' } })).toMatchObject(
      refused('headers'),
    )
    expect(await patchForm(member, { settings: { url: STORED.url } })).toMatchObject(
      refused('headers'),
    )
    expect((await member.patch(SETTINGS, { settings: { note: 'x', ...AGAIN } })).status).toBe(200)
    expect(await storedSettings(api)).toMatchObject({ note: 'x', token: 'new' })
  })

  it('lets members change only secrets, and admins any setting', async () => {
    const { api, member } = await startStored(UNMARKED)
    const admin = await api.as({ level: 8 })

    expect((await member.patch(SETTINGS, { settings: { token: 'other' } })).status).toBe(200)
    expect((await admin.patch(SETTINGS, { settings: { url: 'https://b.test' } })).status).toBe(200)

    expect(await storedSettings(api)).toEqual({ ...STORED, url: 'https://b.test', token: 'other' })
  })
})

describe('files of a config', () => {
  const HOSTS: ConfigField = { key: 'hosts', type: 'attachment', address: true }
  const KEY_FILE: ConfigField = { key: 'key', type: 'attachment', secret: true }

  it.each<[string, ConfigField[]]>([
    ['an address', [HOSTS, ...SECRETS]],
    ['a setting of an app that marks no address', [{ ...HOSTS, address: false }, ...SECRETS]],
  ])('that are %s can only be changed together with the secrets', async (_, schema) => {
    const { member } = await startStored(schema, { token: 't' })
    const put = () =>
      member.request('PUT', `${FILE}/hosts`, 'evil.test', { 'content-type': 'text/plain' })

    const first = await put()
    const form = await patchForm(member, { settings: { token: 'new' }, files: { hosts: 'b.test' } })
    const responses = [
      await put(),
      await member.delete(`${FILE}/hosts`),
      await patchForm(member, { removed: ['hosts'] }),
    ]

    expect(first).toMatchObject(refused('token'))
    expect(first.body.detail).toContain('in one form, with PATCH of the config: token.')
    expect(form.status).toBe(200)
    for (const response of responses) expect(response).toMatchObject(refused('token'))
  })

  it('that are secret must be uploaded again or deleted', async () => {
    const { api, member } = await startStored([MARKED[0] as ConfigField, KEY_FILE], { url: 'a' })
    await patchForm(api, { files: { key: 'private' } })
    const settings = { url: 'https://evil.test' }

    expect(await member.patch(SETTINGS, { settings })).toMatchObject(refused('key'))
    expect(await patchForm(member, { settings })).toMatchObject(refused('key'))
    expect((await patchForm(member, { settings, files: { key: 'mine' } })).status).toBe(200)
    expect((await patchForm(member, { settings: { url: 'c' }, removed: ['key'] })).status).toBe(200)
    expect((await member.get(FILE)).body).toEqual([])
  })

  it('that are secret are deleted when the app is switched', async () => {
    const { api, member } = await startStored([URL_FIELD, KEY_FILE], { url: 'a' })
    await patchForm(api, { files: { key: 'private' } })
    const other = await installPlugin(api.db, { config_schema: [URL_FIELD, KEY_FILE] })

    expect((await member.patch(`${CONFIGS}/1`, { plugin: other })).status).toBe(200)

    expect(await api.db.selectFrom('attachments').select('key').execute()).toEqual([])
  })

  it('that the app no longer describes are deleted', async () => {
    const { api, plugin, member } = await startStored([MARKED[0] as ConfigField, KEY_FILE], {
      url: 'a',
    })
    await patchForm(api, { files: { key: 'private' } })
    await installPlugin(api.db, { config_schema: MARKED }, plugin)

    await member.patch(SETTINGS, { settings: { url: 'b' } })

    expect(await api.db.selectFrom('attachments').select('key').execute()).toEqual([])
  })

  it('that are an address drop settings that the app no longer describes, and log it', async () => {
    const { api, plugin, member } = await startStored([HOSTS, { key: 'old' }], { old: 'x' })
    await installPlugin(api.db, { config_schema: [HOSTS] }, plugin)

    await member.request('PUT', `${FILE}/hosts`, 'b.test', { 'content-type': 'text/plain' })

    const { body } = await api.get(`${CONFIGS}/1/activity`, { accept: 'application/json' })
    expect(await storedSettings(api)).toEqual({})
    expect(body.results.slice(0, 2)).toMatchObject([
      { activity: 'attachment_created' },
      { activity: 'config_updated', detail: { changes: [{ field: 'old', before: SECRET_MASK }] } },
    ])
  })
})

it('does not send the headers of HTTP JSON to a URL that a member enters', async () => {
  const api = await startApp()
  await api.post(CONFIGS, { plugin: 1 })
  const settings = { url: 'https://api.test', headers: { authorization: 'hunter2' } }
  await api.patch(SETTINGS, { settings })
  const member = await api.as({})

  const response = await member.patch(SETTINGS, { settings: { url: 'https://evil.test' } })

  expect(response).toMatchObject(refused('headers'))
})
