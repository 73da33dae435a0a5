import { describe, expect, it } from 'vitest'
import { DASHBOARDS } from '../app.ts'
import { createDashboard, insightTile, pathOf } from '../dashboards.ts'
import { expectAccessible } from './accessible.ts'
import { expectNoProblems, openBrowser, startWeb } from './browser.ts'

const TEMPLATES = 'dashboard_templates'
const GALLERY = '/project/1/templates'

/** Leaves open which event it counts. */
const OPEN = {
  template_name: 'Counts one event',
  dashboard_description: 'Of your choice.',
  dashboard_filters: {},
  tags: [],
  variables: [
    {
      ...{ id: 'EVENT', name: 'The event', type: 'event', description: 'What counts.' },
      ...{ default: { id: '$pageview', math: 'dau' }, required: true },
    },
  ],
  tiles: [
    {
      type: 'INSIGHT',
      name: 'How many',
      query: {
        kind: 'InsightVizNode',
        source: { kind: 'TrendsQuery', series: ['{EVENT}'] },
      },
    },
  ],
}

describe('the gallery of templates', () => {
  it('leads from an empty list to a dashboard', async () => {
    const web = await startWeb()
    const { page } = web
    await page.goto('/project/1/dashboards')

    await page.getByRole('link', { name: 'Choose a template' }).click()
    await page.getByLabel('Search templates').fill('saas')
    await page.getByRole('button', { name: /^Use / }).nth(1).waitFor({ state: 'detached' })
    await page.getByRole('button', { name: 'Use SaaS metrics' }).click()
    await page.getByLabel('Dashboard name').fill('Our numbers')
    await page.getByRole('button', { name: 'Create dashboard' }).click()

    await page.waitForURL('**/project/1/dashboards/1')
    const { body } = await web.api.get(pathOf(1))
    expect(body).toMatchObject({ name: 'Our numbers', use_template: 'SaaS metrics' })
    expectNoProblems(web)
  })

  it('asks for the events that a template leaves open', async () => {
    const { api, page } = await startWeb()
    await api.post(TEMPLATES, OPEN)
    await page.goto(GALLERY)

    await page.getByRole('button', { name: 'Use Counts one event' }).click()
    await page.getByLabel('The event').fill('purchased')
    await page.getByRole('button', { name: 'Create dashboard' }).click()

    await page.waitForURL('**/project/1/dashboards/1')
    const [tile] = (await api.get(pathOf(1))).body.tiles
    const event = { kind: 'EventsNode', event: 'purchased', name: 'purchased', math: 'dau' }
    expect(tile.insight.query.source.series).toEqual([event])
  })

  it('keeps a dashboard as a template, and deletes it with a way back', async () => {
    const { api, page } = await startWeb()
    await createDashboard(api, { name: 'Weekly', tiles: [insightTile('Sales')] })
    await page.goto(GALLERY)

    await page.getByRole('button', { name: 'New template' }).click()
    await page.getByRole('menuitem', { name: 'From dashboard' }).click()
    await page.getByRole('combobox', { name: 'Dashboard' }).fill('week')
    await page.getByRole('option', { name: 'Weekly' }).click()
    const name = page.getByLabel('Template name')
    await name.fill('SaaS metrics')
    await page.getByRole('button', { name: 'Create template' }).click()
    await page.getByText('A dashboard template with this name already exists').waitFor()
    await name.fill('Ours')
    await page.getByRole('button', { name: 'Create template' }).click()
    await page.getByRole('heading', { name: 'Ours' }).waitFor()
    await page.getByRole('button', { name: 'Actions for Ours' }).click()
    await page.getByRole('menuitem', { name: 'Delete' }).click()
    await page.getByRole('heading', { name: 'Ours' }).waitFor({ state: 'detached' })
    await page.getByRole('button', { name: 'Undo' }).click()

    await page.getByRole('heading', { name: 'Ours' }).waitFor()
    const { body } = await api.get(`${TEMPLATES}?scope=team`)
    expect(body.results).toMatchObject([{ template_name: 'Ours', tiles: [{ name: 'Sales' }] }])
  })

  it('downloads what makes the same dashboard again', async () => {
    const { api, page } = await startWeb()
    await page.goto(GALLERY)
    await page.getByRole('button', { name: 'Actions for Import health' }).click()
    const downloading = page.waitForEvent('download')
    await page.getByRole('menuitem', { name: 'Download as JSON' }).click()
    const download = await downloading
    const file = (await download.path()) as string

    await page.goto('/project/1/dashboards')
    await page.getByRole('button', { name: 'New dashboard' }).click()
    await page.getByRole('menuitem', { name: 'From JSON' }).click()
    await page.locator('input[type=file]').setInputFiles(file)
    await page.getByRole('button', { name: 'Create dashboard' }).click()

    await page.waitForURL('**/project/1/dashboards/1')
    expect(download.suggestedFilename()).toBe('Import health.json')
    expect((await api.get(pathOf(1))).body.tiles).toHaveLength(7)
  })

  it('says what is wrong with JSON, and makes nothing of it', async () => {
    const { api, page } = await startWeb()
    await page.goto('/project/1/dashboards')
    await page.getByRole('button', { name: 'New dashboard' }).click()
    await page.getByRole('menuitem', { name: 'From JSON' }).click()
    const json = page.getByLabel('Template as JSON')

    await json.fill('{ "template_name": ')
    await page.getByText('Not a JSON object.').waitFor()
    expect(await page.getByRole('button', { name: 'Create dashboard' }).isDisabled()).toBe(true)
    await json.fill('{ "template_name": "x" }')
    await page.getByRole('button', { name: 'Create dashboard' }).click()

    await page.getByText('is a required property').waitFor()
    expect((await api.get(DASHBOARDS)).body.count).toBe(0)
  })

  it('lets members use templates, and admins make them', async () => {
    const { api } = await startWeb()
    const member = await api.as({})
    const { page } = await openBrowser(api, { as: member })

    await page.goto(GALLERY)

    await page.getByRole('button', { name: 'Use SaaS metrics' }).waitFor()
    expect(await page.getByRole('button', { name: 'New template' }).count()).toBe(0)
  })

  it.each(['light', 'dark'] as const)('is accessible in the %s', async (colorScheme) => {
    const { page } = await startWeb({ colorScheme, bypassCSP: true })
    await page.goto(GALLERY)
    await page.getByRole('heading', { name: 'Import health' }).waitFor()

    await expectAccessible(page)
    await page.getByRole('button', { name: 'Use Import health' }).click()
    await page.getByRole('dialog').getByLabel('Dashboard name').waitFor()
    await expectAccessible(page)
  })
})
