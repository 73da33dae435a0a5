import { describe, expect, it } from 'vitest'
import { pathOf } from '../support/data/dashboards.ts'
import { expectNoProblems, openWeb, type Web } from './browser.ts'

const TEMPLATES = 'dashboard_templates'

/** Opens a fresh project; returns its path too. */
async function openProject() {
  const web = await openWeb()
  return { ...web, project: `/project/${web.api.projectId}` }
}

/** Waits for the page of the created dashboard, and reads it. */
async function readCreated({ api, page }: Web) {
  await page.waitForURL(/\/dashboards\/\d+$/)
  return (await api.get(pathOf(page.url().split('/').at(-1) ?? ''))).body
}

describe('template gallery', () => {
  it('leads from an empty list to a dashboard, which becomes a template', async () => {
    const web = await openProject()
    const { page, project } = web
    await page.goto(`${project}/dashboards`)

    await page.getByRole('link', { name: 'Choose a template' }).click()
    await page.getByLabel('Search templates').fill('saas')
    await page.getByRole('button', { name: /^Use / }).nth(1).waitFor({ state: 'detached' })
    await page.getByRole('button', { name: 'Use SaaS metrics' }).click()
    await page.getByLabel('Dashboard name').fill('Our numbers')
    await page.getByRole('button', { name: 'Create dashboard' }).click()

    const dashboard = await readCreated(web)
    expect(dashboard).toMatchObject({ name: 'Our numbers', use_template: 'SaaS metrics' })

    await page.getByRole('button', { name: 'More actions' }).click()
    await page.getByRole('menuitem', { name: 'Save as template' }).click()
    await page.getByLabel('Template name').fill('Ours')
    await page.getByRole('button', { name: 'Create template' }).click()
    await page.getByText('“Ours” was saved as a template.').waitFor()
    await page.goto(`${project}/templates`)
    await page.getByRole('button', { name: 'Actions for Ours' }).click()
    await page.getByRole('menuitem', { name: 'Delete' }).click()
    await page.getByRole('heading', { name: 'Ours' }).waitFor({ state: 'detached' })
    await page.getByRole('button', { name: 'Undo' }).click()
    await page.getByRole('heading', { name: 'Ours' }).waitFor()
    const saved = (await web.api.get(`${TEMPLATES}?scope=team`)).body.results
    expect(saved).toMatchObject([{ template_name: 'Ours', tiles: expect.any(Array) }])
    expect(saved[0].tiles).toHaveLength(dashboard.tiles.length)
    expectNoProblems(web)
  })

  it('downloads a file that creates the same dashboard', async () => {
    const web = await openProject()
    const { page, project } = web
    await page.goto(`${project}/templates`)
    await page.getByRole('button', { name: 'Actions for Import health' }).click()
    const downloading = page.waitForEvent('download')
    await page.getByRole('menuitem', { name: 'Download as JSON' }).click()
    const download = await downloading
    const file = (await download.path()) as string

    await page.goto(`${project}/dashboards`)
    await page.getByRole('button', { name: 'New dashboard' }).click()
    await page.getByRole('menuitem', { name: 'From JSON' }).click()
    await page.locator('input[type=file]').setInputFiles(file)
    await page.getByRole('button', { name: 'Create dashboard' }).click()

    expect((await readCreated(web)).tiles).toHaveLength(11)
    expect(download.suggestedFilename()).toBe('Import health.json')
  })
})
