import { describe, expect, it } from 'vitest'
import { type TestApp, useApp } from '../../../../test/support/app/app.ts'

const TEMPLATES = 'dashboard_templates'
const BUILT_IN = [
  'Web overview',
  'SaaS metrics',
  'Imports and revenue',
  'Import health',
  'Product analytics',
  'Website traffic',
  'Stripe',
  'GitHub repository',
  'Google Sheets',
  'Hacker News',
  'npm downloads',
  'GitLab project',
  'HubSpot',
  'Zendesk',
  'Airtable',
  'RSS',
  'Plausible',
  'S3 files',
  'Webhook',
  'PostgreSQL table',
  'MySQL or MariaDB table',
]
const OWN = ['beta', 'Über 100%', 'Alpha']
const OWN_IN_ORDER = ['Alpha', 'beta', 'Über 100%']

async function start() {
  const api = await useApp()
  for (const template_name of OWN) {
    const tags = template_name === 'beta' ? ['growth', 'x'] : []
    await api.post(TEMPLATES, { template_name, tags, tiles: [{ type: 'TEXT', body: 'Hello' }] })
  }
  return api
}

const namesAt = async (api: TestApp, query: string) => {
  const { body } = await api.get(`${TEMPLATES}${query}`)
  const names = body.results.map(({ template_name }: { template_name: string }) => template_name)
  return { count: body.count, names }
}

const FOUND: readonly [query: string, names: readonly string[]][] = [
  ['', [...BUILT_IN, ...OWN_IN_ORDER]],
  ['?scope=global', BUILT_IN],
  ['?scope=team', OWN_IN_ORDER],
  ['?scope=feature_flag', []],
  ['?deleted=true', []],
  ['?search=WEB', ['Web overview', 'Website traffic', 'Webhook']],
  ['?search=growth', ['SaaS metrics', 'beta']],
  ['?search=%25', ['Über 100%']],
  ['?search=über', ['Über 100%']],
  ['?search=nothing', []],
]

describe('the list of dashboard templates', () => {
  it('applies each filter and search', { tags: 'sql' }, async () => {
    const api = await start()

    for (const [query, names] of FOUND) {
      expect(await namesAt(api, query), query).toEqual({ count: names.length, names })
    }
  })

  it('is paginated across built-in and stored templates', { tags: 'sql' }, async () => {
    const api = await start()
    const all = (await namesAt(api, '')).names

    for (let offset = 0; offset <= all.length; offset += 1) {
      const { count, names } = await namesAt(api, `?limit=2&offset=${offset}`)
      expect(names).toEqual(all.slice(offset, offset + 2))
      expect(count).toBe(all.length)
    }
  })

  it('returns the same fields as a GET of each template', async () => {
    const api = await start()

    const { body } = await api.get(TEMPLATES)

    for (const template of body.results) {
      expect((await api.get(`${TEMPLATES}/${template.id}`)).body).toEqual(template)
    }
  })

  it.each([
    ['?scope=mine', 'scope'],
    ['?limit=0', 'limit'],
    ['?deleted=x', 'deleted'],
    [`?search=${'x'.repeat(201)}`, 'search'],
  ])('refuses %s', async (query, attr) => {
    const api = await useApp()

    expect(await api.get(`${TEMPLATES}${query}`)).toMatchObject({ status: 400, body: { attr } })
  })
})
