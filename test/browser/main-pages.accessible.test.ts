import { expect, it } from 'vitest'
import { CONFIGS } from '../app.ts'
import { addVisits } from '../visits.ts'
import { expectAccessible, MANY_CHECKS_MS } from './accessible.ts'
import { openBrowser, openWeb } from './browser.ts'
import { numberTile, openDashboard, pageOf, tileOf, wordsTile } from './dashboard.ts'
import { waitUntilLoaded } from './import-apps.ts'
import { addEvents, drawn, newInsight } from './insights.ts'

// the full check has every page, with its dialogs and menus
it(
  'keeps the main pages accessible',
  async () => {
    const web = await openWeb({ bypassCSP: true })
    const { api, page } = web
    const project = `/project/${api.projectId}`
    await addVisits(api, 3)
    await addEvents(api)
    const config = await api.post(CONFIGS, { plugin: 1, name: 'Mine' })
    expect(config.status).toBe(201)
    const { id } = await openDashboard(web, {
      name: 'Sales',
      tags: ['money'],
      tiles: [numberTile('Visits', 0), wordsTile('# Hello\n\nSome words', 4)],
    })
    await tileOf(page, 'Visits').getByText('3', { exact: true }).waitFor()
    await expectAccessible(page)

    await page.goto(newInsight(api))
    await drawn(page)
    await expectAccessible(page)

    const paths = ['dashboards', 'insights', 'events', 'activity', 'settings/members']
    for (const path of [...paths, 'apps', `apps/${config.body.id}`]) {
      await page.goto(`${project}/${path}`)
      await waitUntilLoaded(page)
      await expectAccessible(page)
    }

    const stranger = await openBrowser(api, { bypassCSP: true, as: null })
    await stranger.page.goto(pageOf(api, id))
    await stranger.page.getByRole('heading', { name: 'Sign in', level: 1 }).waitFor()
    await expectAccessible(stranger.page)
  },
  MANY_CHECKS_MS,
)
