import { expect, it } from 'vitest'
import { createDashboard } from '../support/data/dashboards.ts'
import { addVisits, visits } from '../support/data/visits.ts'
import { expectAccessible, MANY_CHECKS_MS } from './accessible.ts'
import { expectNoProblems, openBrowser, startWeb } from './browser.ts'

it(
  'makes a member a viewer, who sees, comments, exports once allowed, and changes nothing',
  async () => {
    const web = await startWeb({ bypassCSP: true })
    const { api, page } = web
    await addVisits(api, 3)
    const byDay = visits({ trendsFilter: { display: 'ActionsBar' } })
    const { id } = await createDashboard(api, {
      name: 'Sales',
      filters: { date_from: '-7d' },
      tiles: [
        { insight: { name: 'Visits', description: 'Of people', query: visits() } },
        {
          insight: { name: 'Visits by day', query: byDay },
          layouts: { sm: { x: 6, y: 0, w: 6, h: 5 } },
        },
      ],
    })
    const found = (await api.get('insights?search=day')).body.results[0]
    const insight = `/project/1/insights/${found.short_id}`
    const vi = await api.as({})

    await page.goto('/project/1/settings/members')
    await page.getByRole('button', { name: /^Actions for User/ }).click()
    await page.getByRole('menuitem', { name: 'Edit projects…' }).click()
    const dialog = page.getByRole('dialog', { name: /^Projects for/ })
    await dialog.getByRole('combobox', { name: 'Access to Default project' }).click()
    await page.getByRole('option', { name: 'Viewer' }).click()
    await expect
      .poll(async () => (await vi.get('')).body.user_access_level, { timeout: 20_000 })
      .toBe('viewer')
    await expectAccessible(page)
    await page.keyboard.press('Escape')
    await page.getByText('1 project, as viewer').waitFor()

    const theirs = await openBrowser(api, { as: vi, bypassCSP: true })
    const viewer = theirs.page
    await viewer.goto('/')
    await viewer.getByRole('link', { name: 'Sales' }).waitFor()
    expect(await viewer.getByRole('navigation', { name: 'Main' }).getByRole('link').count()).toBe(4)
    await expectAccessible(viewer)
    await viewer.getByRole('link', { name: 'Sales' }).click()
    await viewer.getByText('3', { exact: true }).first().waitFor()
    await viewer.getByRole('img', { name: 'Visits by day' }).waitFor()
    await expectAccessible(viewer)
    await viewer.getByText('Last 7 days').waitFor()
    await viewer.getByRole('button', { name: 'Actions for Visits', exact: true }).click()
    await viewer.getByRole('menuitem', { name: 'Show data' }).click()
    await viewer.getByRole('dialog', { name: 'Visits' }).getByRole('cell').first().waitFor()
    expect(await viewer.getByRole('dialog').getByRole('cell').getByRole('button').count()).toBe(0)
    await viewer.keyboard.press('Escape')
    await viewer.getByRole('button', { name: /^Comments/ }).click()
    await viewer.getByRole('textbox', { name: /comment/i }).fill('What happened here?')
    await viewer.getByRole('button', { name: 'Comment', exact: true }).click()
    await viewer.getByText('What happened here?').first().waitFor()
    expect((await api.get('comments')).body.results).toMatchObject([
      { content: 'What happened here?', created_by: { uuid: vi.uuid } },
    ])

    await viewer.goto(insight)
    await viewer.getByRole('heading', { name: 'Visits by day' }).waitFor()
    await viewer.getByRole('img', { name: 'Visits by day' }).waitFor()
    expect(await viewer.getByRole('button', { name: 'Save' }).count()).toBe(0)
    await expectAccessible(viewer)
    await viewer.goto('/project/1/events')
    await viewer.getByText('This page is not open to viewers').waitFor()
    await expectAccessible(viewer)
    await viewer.getByRole('link', { name: 'Show dashboards' }).click()
    await viewer.getByRole('link', { name: 'Sales' }).waitFor()

    await page.goto('/project/1/settings/project')
    await page.getByRole('switch', { name: 'Let viewers export' }).click()
    await page.getByRole('button', { name: 'Save project' }).click()
    await page.getByText('Project saved.').waitFor()
    await viewer.goto(`/project/1/dashboards/${id}?date_from=-90d`)
    await viewer.getByRole('button', { name: 'More actions' }).click()
    const [download] = await Promise.all([
      viewer.waitForEvent('download'),
      viewer.getByRole('menuitem', { name: 'CSV' }).click(),
    ])
    expect(download.suggestedFilename()).toMatch(/\.csv$/)

    expectNoProblems(web)
    expectNoProblems(theirs)
  },
  MANY_CHECKS_MS,
)
