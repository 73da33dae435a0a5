import { expect, it } from 'vitest'
import { CONFIGS } from '../support/app/app.ts'
import { addVisits } from '../support/data/visits.ts'
import { expectAccessible, MANY_CHECKS_MS } from './accessible.ts'
import { openBrowser, openWeb } from './browser.ts'
import { numberTile, openDashboard, pageOf, tileOf, wordsTile } from './dashboard.ts'
import { waitUntilLoaded } from './import-apps.ts'

// a page of tiles, one of forms, and one outside of the shell; the full check has every page, dialog and menu
it(
  'keeps the main pages accessible',
  async () => {
    const web = await openWeb({ bypassCSP: true })
    const { api, page } = web
    await addVisits(api, 3)
    const config = await api.post(CONFIGS, { plugin: 1, name: 'Mine' })
    expect(config.status).toBe(201)
    const { id } = await openDashboard(web, {
      name: 'Sales',
      tags: ['money'],
      tiles: [numberTile('Visits', 0), wordsTile('# Hello\n\nSome words', 4)],
    })
    await tileOf(page, 'Visits').getByText('3', { exact: true }).waitFor()
    await expectAccessible(page)

    await page.goto(`/project/${api.projectId}/apps/${config.body.id}`)
    await waitUntilLoaded(page)
    await expectAccessible(page)

    const stranger = await openBrowser(api, { bypassCSP: true, as: null })
    await stranger.page.goto(pageOf(api, id))
    await stranger.page.getByRole('heading', { name: 'Sign in', level: 1 }).waitFor()
    await expectAccessible(stranger.page)
  },
  MANY_CHECKS_MS,
)
