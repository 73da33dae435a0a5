import { describe, expect, it } from 'vitest'
import { compileApp } from '#server/runtime/compile.ts'
import { CONFIGS, startApp } from '../../../../../test/support/app/app.ts'
import { installPlugin, type TestPlugin } from '../../../../../test/support/app/plugin.ts'

const ACCEPT_JSON = { accept: 'application/json' }

async function startWithSettings(
  source: string,
  settings: object,
  config_schema: TestPlugin['config_schema'],
) {
  const api = await startApp()
  const code = await compileApp({ 'index.ts': source }, 'index.ts')
  const old = [{ key: 'shop', type: 'string' as const }]
  const plugin = await installPlugin(api.db, { config_schema: old, code })
  await api.post(CONFIGS, { plugin })
  await api.patch(`${CONFIGS}/1/settings`, { settings })
  await installPlugin(api.db, { config_schema, code, version: '2.0.0' }, plugin)
  return api
}

describe("an app's own migrateConfig", () => {
  it('returns the settings, which are converted to the new schema', async () => {
    const api = await startWithSettings(
      `export async function migrateConfig(config, meta) {
        console.log('was', meta.config.shop)
        return { shops: [config.shop], junk: 1 }
      }`,
      { shop: 'one' },
      [{ key: 'shops', type: 'json' }],
    )

    const { status, body } = await api.post(`${CONFIGS}/1/migrate`, {}, ACCEPT_JSON)

    expect(status).toBe(200)
    expect(body.plugin_version).toBe('2.0.0')
    const { body: after } = await api.get(`${CONFIGS}/1/settings`)
    expect(after.settings).toEqual({ shops: ['one'] })
    const { body: logs } = await api.get(`${CONFIGS}/1/logs?search=was`)
    expect(logs.results).toMatchObject([{ message: 'was one', run_id: null }])
  })

  it.each([
    ['throws', `throw new Error('Choose a shop first')`, /Choose a shop first/],
    ['captures events', `await posthog.capture('x')`, /can only return settings/],
    ['returns something other than settings', `return [1]`, /object/],
  ])('changes nothing when it %s', async (_, does, message) => {
    const api = await startWithSettings(
      `export async function migrateConfig(config) { ${does} }`,
      { shop: 'one' },
      [
        { key: 'shop', type: 'string' },
        { key: 'mode', type: 'string', required: true },
      ],
    )
    const before = (await api.get(`${CONFIGS}/1/settings`)).body

    const { status, body } = await api.post(`${CONFIGS}/1/migrate`, {}, ACCEPT_JSON)

    expect(status).toBe(400)
    expect(body.detail).toMatch(message)
    expect((await api.get(`${CONFIGS}/1/settings`)).body).toEqual(before)
  })
})
