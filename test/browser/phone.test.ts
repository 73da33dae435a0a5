import type { Page } from 'playwright-core'
import { describe, expect, it } from 'vitest'
import { createDashboard } from '../support/data/dashboards.ts'
import { newEvent } from '../support/data/events.ts'
import { openWeb, startWeb } from './browser.ts'
import { numberTile, openDashboard, tileOf } from './dashboard.ts'
import { createImportApps, openTab, TABS, waitUntilLoaded } from './import-apps.ts'
import { addEvents, drawn, newInsight } from './insights.ts'

const expectNoOverflow = async (page: Page) =>
  expect(await page.evaluate('document.documentElement.scrollWidth'), page.url()).toBe(360)

describe('on a phone', () => {
  it('lists, dashboards and the insight editor fit the screen', async () => {
    const web = await openWeb({ viewport: { width: 360, height: 740 } })
    const { api, page } = web
    await addEvents(api)
    await createDashboard(api, { name: 'x'.repeat(400), tags: ['y'.repeat(255), 'z'] })

    await page.goto(`/project/${api.projectId}/dashboards`)
    await page.getByText('1 dashboard', { exact: true }).waitFor()
    await expectNoOverflow(page)

    await openDashboard(web, { tiles: [numberTile('Left', 0), numberTile('Right', 4)] })
    const [left, right] = await Promise.all(
      ['Left', 'Right'].map((name) => tileOf(page, name).boundingBox()),
    )
    expect(right?.x).toBe(left?.x)
    expect(right?.y).toBeGreaterThan(left?.y ?? 0)
    await expectNoOverflow(page)
    await page.getByRole('button', { name: 'More actions' }).click()
    await page.getByRole('menuitem', { name: 'Share' }).waitFor()

    await page.goto(newInsight(api))
    await drawn(page)
    await expectNoOverflow(page)
    await page.getByRole('button', { name: 'Add series' }).click()
    await page.getByRole('combobox', { name: 'Event of series B' }).waitFor()
  })

  it('import apps and events fit the screen', async () => {
    const { api, page } = await startWeb({ viewport: { width: 360, height: 740 } })
    await createImportApps(api)
    const wide = JSON.stringify({ [`key_${'k'.repeat(300)}`]: 'v'.repeat(300) })
    const long = { event: 'e'.repeat(150), distinct_id: 'd'.repeat(150), properties: wide }
    await api.services.events.append(1, [newEvent(long)])

    for (const path of ['', '/gallery', '/source', '/1']) {
      await page.goto(`/project/1/apps${path}`)
      await waitUntilLoaded(page)
      await expectNoOverflow(page)
      expect(await page.getByRole('button', { name: 'Copy as curl' }).count()).toBe(0)
    }
    for (const tab of TABS) {
      await openTab(page, tab)
      await expectNoOverflow(page)
    }
    await page.goto('/project/1/apps/1?tab=health')
    const open = await page.getByRole('tab', { name: 'Health', selected: true }).boundingBox()
    expect((open?.x ?? 0) + (open?.width ?? 0)).toBeLessThanOrEqual(360)
    await page.goto('/project/1/data')
    await page.getByRole('button', { name: long.event }).click()
    await page.getByRole('switch', { name: 'Hidden' }).waitFor()
    await expectNoOverflow(page)
    await page.goto('/project/1/events')
    await page.getByRole('button', { name: long.event }).click()
    await page.getByRole('dialog').getByRole('cell').first().waitFor()
    await expectNoOverflow(page)
  })
})
