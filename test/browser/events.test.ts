import type { Locator } from 'playwright-core'
import { describe, expect, it } from 'vitest'
import type { TestApp } from '../app.ts'
import { PROJECT } from '../app.ts'
import { newEvent } from '../events.ts'
import { until } from '../until.ts'
import { expectAccessible } from './accessible.ts'
import { expectNoProblems, startWeb } from './browser.ts'

const EVENTS = '/project/1/events'
const HOSTILE = '<img src=x onerror="document.title=1"><b>bold</b>'
const now = () => new Date().toISOString()

async function send(api: TestApp, event: string, properties: object = {}) {
  const { body } = await api.get(PROJECT)
  const batch = [{ event, distinct_id: 'ada', properties }]
  await api.post('/batch', { api_key: body.api_token, batch })
}

const untilThereAre = (found: Locator, count: number) =>
  until(async () => (await found.count()) === count)

describe('the events page', () => {
  it('tells how to send the first event, and shows it when it comes', async () => {
    const web = await startWeb()
    const { body: project } = await web.api.get(PROJECT)
    await web.page.goto(EVENTS)
    await web.page.getByText('Waiting for the first event').waitFor()
    await web.page.getByText(project.api_token).waitFor()

    await send(web.api, 'signed up')

    await web.page.getByRole('button', { name: 'signed up' }).waitFor()
    expectNoProblems(web)
  })

  it('holds still while somebody reads, and tells how many came', async () => {
    const { api, page } = await startWeb()
    await api.services.events.append(api.projectId, [
      newEvent({ event: 'before', timestamp: now() }),
    ])
    await page.goto(EVENTS)
    await page.getByText('Listening').waitFor()

    await page.getByRole('button', { name: 'before' }).hover()
    await page.getByText('Paused while reading').waitFor()
    await send(api, 'after')
    const news = page.getByRole('button', { name: '1 new event' })
    await news.waitFor()
    expect(await page.getByRole('button', { name: 'after' }).count()).toBe(0)
    await news.click()

    await page.getByRole('button', { name: 'after' }).waitFor()
  })

  it('filters by event and person, and keeps that in the address', async () => {
    const { api, page } = await startWeb()
    await api.services.events.append(api.projectId, [
      newEvent({ event: 'one' }),
      newEvent({ event: 'two' }),
      newEvent({ event: 'two', distinct_id: 'bob' }),
    ])
    await page.goto(EVENTS)
    const rows = page.getByRole('row').filter({ has: page.getByRole('button') })
    await untilThereAre(rows, 3)

    await page.getByRole('combobox', { name: 'Event' }).fill('tw')
    await page.getByRole('option', { name: 'two' }).click()
    await untilThereAre(rows, 2)
    await page.getByRole('textbox', { name: 'Person' }).fill('bob')
    await untilThereAre(rows, 1)

    expect(new URL(page.url()).search).toBe('?event=two&distinct_id=bob')
    await page.reload()
    await page.getByRole('cell', { name: 'bob' }).waitFor()
    expect(await rows.count()).toBe(1)
  })

  it('loads older events', async () => {
    const { api, page } = await startWeb()
    const many = Array.from({ length: 60 }, (_, n) => newEvent({ event: `event ${n}` }))
    await api.services.events.append(api.projectId, many)
    await page.goto(EVENTS)
    const rows = page.getByRole('row').filter({ has: page.getByRole('button') })
    await untilThereAre(rows, 50)

    await page.getByRole('button', { name: 'Load older events' }).click()

    await untilThereAre(rows, 60)
  })

  it('opens an event with all its properties, as text whatever they hold', async () => {
    const web = await startWeb()
    const properties = JSON.stringify({ [HOSTILE]: 1, text: HOSTILE, plan: 'pro' })
    await web.api.services.events.append(web.api.projectId, [
      newEvent({ event: HOSTILE, distinct_id: HOSTILE, properties }),
    ])
    await web.page.goto(EVENTS)

    await web.page.getByRole('row').getByRole('button', { name: HOSTILE }).click()
    const drawer = web.page.getByRole('dialog', { name: HOSTILE })
    await drawer.getByRole('cell', { name: HOSTILE, exact: true }).first().waitFor()
    expect(await drawer.getByRole('row').count()).toBe(4)
    await drawer.getByRole('textbox', { name: 'Search properties' }).fill('PRO')
    await untilThereAre(drawer.getByRole('row'), 2)

    expect(await web.page.locator('img[src=x]').count()).toBe(0)
    expect(await web.page.title()).toContain('Hedgerow')
    expectNoProblems(web)
  })

  it.each(['light', 'dark'] as const)('is accessible in the %s', async (colorScheme) => {
    const { api, page } = await startWeb({ colorScheme, bypassCSP: true })
    await page.goto(EVENTS)
    await page.getByText('Waiting for the first event').waitFor()
    await expectAccessible(page)

    await send(api, 'signed up', { plan: 'pro' })
    await page.getByRole('button', { name: 'signed up' }).waitFor()
    await page.emulateMedia({ reducedMotion: 'reduce' })
    await expectAccessible(page)
    await page.getByRole('button', { name: 'signed up' }).click()
    await page.getByRole('dialog').getByText('plan').waitFor()
    await expectAccessible(page)
  })

  it('fits on a phone', async () => {
    const { api, page } = await startWeb({ viewport: { width: 360, height: 740 } })
    const wide = JSON.stringify({ [`key_${'k'.repeat(300)}`]: 'v'.repeat(300) })
    const long = { event: 'e'.repeat(150), distinct_id: 'd'.repeat(150), properties: wide }
    await api.services.events.append(api.projectId, [newEvent(long)])
    await page.goto(EVENTS)

    await page.getByRole('button', { name: long.event }).click()
    await page.getByRole('dialog').getByRole('cell').first().waitFor()

    const width = await page.evaluate('document.documentElement.scrollWidth')
    expect(width).toBeLessThanOrEqual(360)
  })
})
