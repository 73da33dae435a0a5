import { describe, expect, it } from 'vitest'
import type { KeyScope } from '#server/access/scopes.ts'
import { useApp } from '../../../../test/support/app/app.ts'
import { pathOf } from '../../../../test/support/data/dashboards.ts'

const GITHUB = 7
const SHEETS = 8
const WEBHOOK = 5
const CSV = 2

const IMPORTS = 'pipeline_import_apps_configs'

async function startWith(plugin: number, settings: object = {}) {
  const api = await useApp()
  const { body } = await api.post(IMPORTS, { plugin, config: settings })
  return { api, path: `${IMPORTS}/${body.id}/dashboard` }
}

describe('the dashboard of an import', () => {
  it('is created from the template of its app once, and again after it was deleted', async () => {
    const { api, path } = await startWith(GITHUB)
    expect((await api.get(path)).body).toEqual({ template: 'GitHub repository', dashboard: null })

    const first = await api.post(path, {})
    const second = await api.post(path, {})

    expect([first.status, second.status]).toEqual([201, 200])
    expect(second.body).toEqual(first.body)
    expect((await api.get(path)).body).toEqual(first.body)
    const { body } = await api.get(pathOf(first.body.dashboard))
    expect(body).toMatchObject({
      ...{ name: 'GitHub repository', use_template: 'GitHub repository' },
      creation_mode: 'template',
    })
    await api.patch(pathOf(first.body.dashboard), { deleted: true })
    expect((await api.get(path)).body.dashboard).toBeNull()
    expect((await api.post(path, {})).status).toBe(201)
  })

  it('is one for all imports of its app, as long as they have the usual event', async () => {
    const { api, path } = await startWith(SHEETS, { event: 'sheet row' })
    const other = await api.post(IMPORTS, { plugin: SHEETS, config: { event: "customer's order" } })
    const otherPath = `${IMPORTS}/${other.body.id}/dashboard`

    const usual = (await api.post(path, {})).body.dashboard
    const named = (await api.post(otherPath, {})).body.dashboard

    expect(named).not.toBe(usual)
    expect((await api.post(otherPath, {})).body.dashboard).toBe(named)
    const { body } = await api.get(pathOf(named))
    expect(body.name).toBe("Google Sheets: customer's order")
    const queries = JSON.stringify(
      body.tiles.map(({ insight }: { insight: { query: object } }) => insight.query),
    )
    expect(queries).not.toContain('sheet row')
    expect(queries).toContain('"event":"customer\'s order"')
    expect(queries).toContain("event = 'customer''s order'")
    expect(
      (await api.get(pathOf(named, '?refresh=blocking'))).body.tiles.at(-1).insight.result,
    ).toEqual([])
  })

  it('of a webhook has the event of its requests', async () => {
    const { api, path } = await startWith(WEBHOOK, { event: 'order paid' })

    const { body } = await api.get(pathOf((await api.post(path, {})).body.dashboard))

    expect(body).toMatchObject({ name: 'Webhook: order paid', use_template: 'Webhook' })
    expect(body.tiles[0].insight.query.source.series[0]).toMatchObject({ event: 'order paid' })
  })

  it('is not offered by an app without a template', async () => {
    const { api, path } = await startWith(CSV)

    expect((await api.get(path)).body).toEqual({ template: null, dashboard: null })
    expect(await api.post(path, {})).toMatchObject({
      status: 400,
      body: { detail: 'This import app has no dashboard template.' },
    })
  })

  it('is read with the scope of import apps, and created with that of dashboards', async () => {
    const { api, path } = await startWith(GITHUB)
    const status = async (scopes: KeyScope[], method: 'GET' | 'POST') => {
      const key = await api.as({ scopes })
      return (await key.request(method, path, method === 'POST' ? {} : undefined)).status
    }

    expect(await status(['dashboard:write'], 'GET')).toBe(403)
    expect(await status(['plugin:read'], 'GET')).toBe(200)
    expect(await status(['dashboard:read', 'plugin:write'], 'POST')).toBe(403)
    expect(await status(['dashboard:write'], 'POST')).toBe(201)
  })

  it('of another project does not exist', async () => {
    const { path } = await startWith(GITHUB)
    const { api } = await startWith(GITHUB)

    expect((await api.get(path)).status).toBe(404)
    expect((await api.post(path, {})).status).toBe(404)
  })
})
