import { sql } from 'kysely'
import { describe, expect, it } from 'vitest'
import { CONFIGS, startApp, type TestApp } from '../../../../test/app.ts'
import { installPlugin, PLUGIN } from '../../../../test/plugin.ts'
import type { ConfigField } from '../plugins/schema.ts'
import { SECRET_MASK } from './setting-rules.ts'

const SETTINGS = `${CONFIGS}/1/settings`
const JSON_PLEASE = { accept: 'application/json' }
const SECRET = 'hunter2-of-the-database'

const SCHEMA: ConfigField[] = [
  { key: 'token', secret: true, required: true },
  { key: 'headers', type: 'json', secret: true },
  { key: 'host' },
]

async function startWithSecret(): Promise<TestApp> {
  const api = await startApp()
  const public_jobs = { run: {} }
  await api.post(CONFIGS, {
    plugin: await installPlugin(api.db, { config_schema: SCHEMA, public_jobs }),
  })
  const settings = { token: SECRET, headers: { Authorization: SECRET }, host: 'h' }
  await api.patch(SETTINGS, { settings })
  return api
}

async function storedSettings(api: TestApp) {
  const rows = await api.db.selectFrom('plugin_configs').select('settings').execute()
  return JSON.parse(api.services.secrets.decryptText(rows[0]?.settings ?? ''))
}

async function changesOfLatest(api: TestApp) {
  const { body } = await api.get(`${CONFIGS}/1/activity`, JSON_PLEASE)
  return body.results[0].detail.changes
}

describe('a secret', () => {
  it('is shown as a mask and known to the app as it is', async () => {
    const api = await startWithSecret()

    const { body } = await api.get(SETTINGS)

    expect(body.settings).toEqual({ token: SECRET_MASK, headers: SECRET_MASK, host: 'h' })
    expect((await storedSettings(api)).token).toBe(SECRET)
  })

  it('is in no answer', async () => {
    const api = await startWithSecret()
    const answers = [
      await api.patch(SETTINGS, { settings: { token: `${SECRET}!`, headers: `["${SECRET}"]` } }),
      await api.get(SETTINGS),
      await api.get(`${CONFIGS}/1`),
      await api.get(CONFIGS),
      await api.patch(`${CONFIGS}/1`, { order: 5 }),
      await api.patch(`${CONFIGS}/rearrange`, { orders: { 1: 6 } }),
      await api.post(`${CONFIGS}/1/job`, {}, JSON_PLEASE),
      await api.get(`${CONFIGS}/1/runs`),
      await api.post(`${CONFIGS}/1/migrate`, {}, JSON_PLEASE),
      await api.patch(SETTINGS, { settings: { headers: '' } }),
      await api.get(`${CONFIGS}/1/activity`, JSON_PLEASE),
    ]

    expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 200))
    expect(answers.map(({ text }) => text).join()).not.toContain('hunter2')
    const log = await api.db.selectFrom('activity').select('detail').execute()
    expect(JSON.stringify(log)).not.toContain('hunter2')
  })

  it('is in no table', async () => {
    const api = await startWithSecret()
    await api.patch(SETTINGS, { settings: { token: `${SECRET}!` } })
    await api.post(`${CONFIGS}/1/job`)

    const tables = await api.db.introspection.getTables()
    const rows = await Promise.all(
      tables.map(({ name }) => sql`select * from ${sql.table(name)}`.execute(api.db)),
    )

    expect(JSON.stringify(rows)).toContain('config_updated')
    expect(JSON.stringify(rows)).not.toContain('hunter2')
  })

  it.each([
    ['absent', {}],
    ['null', { token: null, headers: null }],
    ['the mask', { token: SECRET_MASK, headers: SECRET_MASK }],
  ])('stays when it is %s', async (_, sent) => {
    const api = await startWithSecret()

    await api.patch(SETTINGS, { settings: { ...sent, host: 'other' } })

    expect(await storedSettings(api)).toEqual({
      token: SECRET,
      headers: { Authorization: SECRET },
      host: 'other',
    })
  })

  it('is cleared by an empty text', async () => {
    const api = await startWithSecret()

    const { body } = await api.patch(SETTINGS, { settings: { headers: '' } })

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

    expect(await api.patch(SETTINGS, { settings: { token: '' } })).toMatchObject({
      status: 400,
      body: { attr: 'token', code: 'blank' },
    })
    expect((await storedSettings(api)).token).toBe(SECRET)
  })

  it('that changes is logged by its name alone', async () => {
    const api = await startWithSecret()

    await api.patch(SETTINGS, { settings: { token: 'other' } })

    expect(await changesOfLatest(api)).toMatchObject([
      { action: 'changed', field: 'token', before: SECRET_MASK, after: SECRET_MASK },
    ])
  })

  it('that breaks its schema is not repeated in the refusal', async () => {
    const api = await startWithSecret()

    const { status, text } = await api.patch(SETTINGS, { settings: { headers: `{${SECRET}` } })

    expect(status).toBe(400)
    expect(text).not.toContain('hunter2')
  })

  it('is not handed to another app', async () => {
    const api = await startWithSecret()

    await api.patch(`${CONFIGS}/1`, { plugin: 99 })

    expect(await storedSettings(api)).toEqual({ host: 'h' })
    expect(await changesOfLatest(api)).toMatchObject([
      { field: 'token', before: SECRET_MASK, after: null },
      { field: 'headers', before: SECRET_MASK, after: null },
    ])
  })

  it('is not shown when its app is gone or no longer knows it', async () => {
    const api = await startWithSecret()
    await installPlugin(api.db, { config_schema: [{ key: 'host' }] })
    const unknown = await api.get(SETTINGS)
    await api.db.deleteFrom('plugins').where('id', '=', PLUGIN).execute()

    const gone = await api.get(SETTINGS)
    const { body: config } = await api.get(`${CONFIGS}/1`, { 'cache-control': 'no-cache' })

    expect(unknown.body.settings).toEqual({ host: 'h' })
    expect(gone.body.settings).toEqual({})
    expect(config.config).toBe('{}')
  })
})
