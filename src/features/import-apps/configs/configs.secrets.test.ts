import { sql } from 'kysely'
import { describe, expect, it } from 'vitest'
import { CONFIGS, startApp, type TestApp, useApp } from '../../../../test/support/app/app.ts'
import { installPlugin } from '../../../../test/support/app/plugin.ts'
import { listActivity } from '../../../../test/support/data/activity.ts'
import { createConfig } from '../../../../test/support/data/configs.ts'
import type { ConfigField } from '../plugins/schema.ts'
import { SECRET_MASK } from '../setting-rules.ts'

const ACCEPT_JSON = { accept: 'application/json' }
const SECRET = 'hunter2-of-the-database'

const SCHEMA: ConfigField[] = [
  { key: 'token', secret: true, required: true },
  { key: 'headers', type: 'json', secret: true },
  { key: 'host' },
]

interface AppWithSecret extends TestApp {
  readonly plugin: number
  readonly id: number
  /** The path of the config. */
  readonly config: string
}

async function startWithSecret(startOrUse = useApp): Promise<AppWithSecret> {
  const api = await startOrUse()
  const public_jobs = { run: {} }
  const plugin = await installPlugin(api.db, { config_schema: SCHEMA, public_jobs })
  const { id } = await createConfig(api, { plugin })
  const settings = { token: SECRET, headers: { Authorization: SECRET }, host: 'h' }
  const config = `${CONFIGS}/${id}`
  await api.patch(`${config}/settings`, { settings })
  return { ...api, plugin, id, config }
}

async function storedSettings({ db, services, id }: AppWithSecret) {
  const configs = db.selectFrom('plugin_configs').where('id', '=', id)
  const { settings } = await configs.select('settings').executeTakeFirstOrThrow()
  return JSON.parse(services.secrets.decryptText(settings))
}

async function changesOfLatest(api: AppWithSecret) {
  const { body } = await api.get(`${api.config}/activity`, ACCEPT_JSON)
  return body.results[0].detail.changes
}

describe('a secret', () => {
  it('is masked in responses and stored as it was sent', async () => {
    const api = await startWithSecret()

    const { body } = await api.get(`${api.config}/settings`)

    expect(body.settings).toEqual({ token: SECRET_MASK, headers: SECRET_MASK, host: 'h' })
    expect((await storedSettings(api)).token).toBe(SECRET)
  })

  it('is in no response', async () => {
    const api = await startWithSecret()
    const responses = [
      await api.patch(`${api.config}/settings`, {
        settings: { token: `${SECRET}!`, headers: `["${SECRET}"]` },
      }),
      await api.get(`${api.config}/settings`),
      await api.get(api.config),
      await api.get(CONFIGS),
      await api.patch(api.config, { order: 5 }),
      await api.patch(`${CONFIGS}/rearrange`, { orders: { [api.id]: 6 } }),
      await api.post(`${api.config}/job`, {}, ACCEPT_JSON),
      await api.get(`${api.config}/runs`),
      await api.post(`${api.config}/migrate`, {}, ACCEPT_JSON),
      await api.patch(`${api.config}/settings`, { settings: { headers: '' } }),
      await api.get(`${api.config}/activity`, ACCEPT_JSON),
    ]

    expect(responses.map(({ status }) => status)).toEqual(responses.map(() => 200))
    expect(responses.map(({ text }) => text).join()).not.toContain('hunter2')
    expect(JSON.stringify(await listActivity(api))).not.toContain('hunter2')
  })

  it('is in no table as plain text', async () => {
    const api = await startWithSecret(startApp)
    await api.patch(`${api.config}/settings`, { settings: { token: `${SECRET}!` } })
    await api.post(`${api.config}/job`)

    const tables = await api.db.introspection.getTables()
    const rows = await Promise.all(
      tables.map(({ name }) => sql`select * from ${sql.table(name)}`.execute(api.db)),
    )

    expect(JSON.stringify(rows)).toContain('config_updated')
    expect(JSON.stringify(rows)).not.toContain('hunter2')
  })

  it.each([
    ['not sent', {}],
    ['null', { token: null, headers: null }],
    ['the mask', { token: SECRET_MASK, headers: SECRET_MASK }],
  ])('is kept when it is %s', async (_, sent) => {
    const api = await startWithSecret()

    await api.patch(`${api.config}/settings`, { settings: { ...sent, host: 'other' } })

    expect(await storedSettings(api)).toEqual({
      token: SECRET,
      headers: { Authorization: SECRET },
      host: 'other',
    })
  })

  it('is cleared by an empty string', async () => {
    const api = await startWithSecret()

    const { body } = await api.patch(`${api.config}/settings`, { settings: { headers: '' } })

    expect(body.settings).toEqual({ token: SECRET_MASK, host: 'h' })
    expect(await changesOfLatest(api)).toEqual([
      {
        type: 'PluginConfig',
        action: 'deleted',
        field: 'headers',
        before: SECRET_MASK,
        after: null,
      },
    ])
  })

  it('that is required cannot be cleared', async () => {
    const api = await startWithSecret()

    expect(await api.patch(`${api.config}/settings`, { settings: { token: '' } })).toMatchObject({
      status: 400,
      body: { attr: 'token', code: 'blank' },
    })
    expect((await storedSettings(api)).token).toBe(SECRET)
  })

  it('is logged by name only when it changes', async () => {
    const api = await startWithSecret()

    await api.patch(`${api.config}/settings`, { settings: { token: 'other' } })

    expect(await changesOfLatest(api)).toMatchObject([
      { action: 'changed', field: 'token', before: SECRET_MASK, after: SECRET_MASK },
    ])
  })

  it('that is invalid is not repeated in the error', async () => {
    const api = await startWithSecret()

    const { status, text } = await api.patch(`${api.config}/settings`, {
      settings: { headers: `{${SECRET}` },
    })

    expect(status).toBe(400)
    expect(text).not.toContain('hunter2')
  })

  it('is deleted when the config changes to another app', async () => {
    const api = await startWithSecret()

    await api.patch(api.config, { plugin: 99 })

    expect(await storedSettings(api)).toEqual({ host: 'h' })
    expect(await changesOfLatest(api)).toMatchObject([
      { field: 'token', before: SECRET_MASK, after: null },
      { field: 'headers', before: SECRET_MASK, after: null },
    ])
  })

  it('is hidden when its app is uninstalled or no longer describes it', async () => {
    const api = await startWithSecret()
    await installPlugin(api.db, { config_schema: [{ key: 'host' }] }, api.plugin)
    const unknown = await api.get(`${api.config}/settings`)
    await api.db.deleteFrom('plugins').where('id', '=', api.plugin).execute()

    const gone = await api.get(`${api.config}/settings`)
    const { body: config } = await api.get(api.config, { 'cache-control': 'no-cache' })

    expect(unknown.body.settings).toEqual({ host: 'h' })
    expect(gone.body.settings).toEqual({})
    expect(config.config).toBe('{}')
  })
})
