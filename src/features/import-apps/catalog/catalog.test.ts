import { readFile } from 'node:fs/promises'
import { describe, expect, it } from 'vitest'
import { startApp, useApp } from '../../../../test/support/app/app.ts'
import { PLUGINS, sourceOf } from '../../../../test/support/app/plugin.ts'
import { CATEGORIES } from '../plugins/schema.ts'
import type { CatalogApp } from './schema.ts'

const CATALOG = '/api/organizations/@current/plugin_catalog'

const toNames = (body: { results: CatalogApp[] }) => body.results.map(({ name }) => name)

describe('the catalog of apps', () => {
  it('tells what a built-in app of a service imports, and where it is described', async () => {
    const api = await useApp()

    const { body } = await api.get(`${CATALOG}?search=stripe`)

    expect(body.results).toEqual([
      {
        plugin: 6,
        name: 'Stripe',
        description: expect.any(String),
        icon: expect.stringMatching(/^data:image\/svg\+xml;base64,/),
        category: 'Payments',
        license: 'MIT',
        streams: ['charges', 'refunds', 'invoices', 'customers', 'subscriptions'],
        template: 'Stripe',
        docs: '/docs/services#stripe',
        version: '1.0.0',
        built_in: true,
        update_available: false,
      },
    ])
  })

  it('has a page and a known category for each built-in app', async () => {
    const api = await useApp()
    const { body } = await api.get(CATALOG)

    for (const { docs, category, built_in } of body.results) {
      if (!built_in) continue
      const [path = '', anchor = ''] = docs.split('#')
      const { status, text } = await api.get(path)
      expect([docs, status]).toEqual([docs, 200])
      expect(text).toContain(anchor === '' ? '<h1' : `id="${anchor}"`)
      expect(CATEGORIES).toContain(category)
    }
    const { license } = JSON.parse(await readFile('package.json', 'utf8'))
    expect(new Set(body.results.map((app: CatalogApp) => app.license))).toContain(license)
  })

  it('has a dashboard template for each built-in app but those of any file or API', async () => {
    const api = await useApp()
    const templates = (await api.get('dashboard_templates?scope=global&limit=100')).body.results
    const names = templates.map(({ template_name }: { template_name: string }) => template_name)

    const { results } = (await api.get(CATALOG)).body
    const builtIn: CatalogApp[] = results.filter((app: CatalogApp) => app.built_in)

    const without = builtIn.filter(({ template }) => !names.includes(template))
    expect(without.map(({ name }) => name)).toEqual(['HTTP JSON', 'CSV', 'Demo data'])
    expect(builtIn).toHaveLength(without.length + 15)
  })

  it('lists installed apps too, and says whether there is an update', async () => {
    const api = await startApp()
    await api.post(PLUGINS, sourceOf('export const runEveryDay = () => {}'))
    await api.db
      .updateTable('plugins')
      .where('id', '=', 1000)
      .set({ tag: '1', latest_tag: '2' })
      .execute()

    const { body } = await api.get(`${CATALOG}?category=Other`)

    expect(body).toMatchObject({
      count: 1,
      results: [{ plugin: 1000, license: null, streams: [], docs: null, update_available: true }],
    })
  })

  it.each([
    ['?search=COMMENTS', ['Hacker News']],
    ['?category=Files', ['CSV', 'Google Sheets', 'Airtable', 'S3 files']],
    ['?category=Development&search=npm', ['npm downloads']],
    ['?category=Support', ['Zendesk']],
    ['?category=Support&search=stripe', []],
    ['?category=Files&limit=1&offset=1', ['Google Sheets']],
    ['?category=Files&offset=9', []],
  ])('applies %s', async (query, names) => {
    const api = await useApp()

    expect(toNames((await api.get(CATALOG + query)).body)).toEqual(names)
  })

  it.each([
    ['?category=Music', 'category'],
    [`?search=${'x'.repeat(201)}`, 'search'],
    ['?limit=0', 'limit'],
  ])('refuses %s', async (query, attr) => {
    const api = await useApp()

    expect(await api.get(CATALOG + query)).toMatchObject({ status: 400, body: { attr } })
  })
})
