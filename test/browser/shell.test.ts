import { expect, it } from 'vitest'
import { DASHBOARDS } from '../support/app/app.ts'
import { addVisits } from '../support/data/visits.ts'
import { expectNoProblems, openWeb } from './browser.ts'

it('opens the current project, finds a dashboard by keyboard, and reports missing pages', async () => {
  const web = await openWeb()
  const { api, page } = web
  const { body } = await api.post(DASHBOARDS, { name: 'Growth & <b>more</b>' })
  await addVisits(api, 1)

  await page.goto('/')
  await page.getByRole('heading', { name: 'Dashboards', level: 1 }).waitFor()
  expect(new URL(page.url()).pathname).toBe(`/project/${api.projectId}/dashboards`)
  await page.getByRole('link', { name: 'Events' }).click()
  await page.getByRole('heading', { name: 'Events', level: 1 }).waitFor()
  await page.keyboard.press('Control+k')
  await page.getByPlaceholder(/^Search pages/).fill('growth')
  await page.getByText('Growth & <b>more</b>').click()
  await page.waitForURL(`**/project/${api.projectId}/dashboards/${body.id}`)
  expectNoProblems(web)

  const response = await page.goto('/no/such/page')
  await page.getByRole('heading', { name: 'Page not found' }).waitFor()
  expect(response?.status()).toBe(404)
  expect((await api.get('/no/such/page')).body.code).toBe('not_found')
  expect((await page.goto('/api/nothing'))?.headers()['content-type']).toContain('json')
})

it('animates nothing for users who prefer reduced motion', async () => {
  const { api, page } = await openWeb({ reducedMotion: 'reduce' })
  await api.post(DASHBOARDS, { name: 'Growth' })
  await page.goto(`/project/${api.projectId}/dashboards`)
  await page.getByRole('link', { name: 'Growth' }).waitFor()

  const longest = await page.evaluate<number>(`
    Math.max(
      ...Array.from(document.querySelectorAll('*'), (element) => getComputedStyle(element))
        .flatMap((style) => [style.transitionDuration, style.animationDuration])
        .flatMap((durations) => durations.split(', ').map(parseFloat)),
    )
  `)

  expect(longest).toBeLessThan(0.001)

  const repeats = await page.evaluate<string>(`
    document.body.style.animation = 'spin 1s infinite'
    getComputedStyle(document.body).animationIterationCount
  `)
  expect(repeats).toBe('1')
})

it('keeps a margin around the lines that it shows before anything is known', async () => {
  const { api, page } = await openWeb({ viewport: { width: 390, height: 844 } })
  const held = Promise.withResolvers<void>()
  await page.route('**/api/users/@me*', async (route) => {
    await held.promise
    await route.continue()
  })

  await page.goto(`/project/${api.projectId}/dashboards`, { waitUntil: 'commit' })
  const line = page.getByRole('status', { name: 'Loading' }).locator('> *').first()
  await line.waitFor()
  const box = await line.boundingBox()

  expect(box?.x).toBeGreaterThanOrEqual(16)
  expect(box?.y).toBeGreaterThanOrEqual(16)
  expect((box?.x ?? 0) + (box?.width ?? 0)).toBeLessThanOrEqual(390 - 16)
  held.resolve()
  await page.getByRole('heading', { name: 'Dashboards', level: 1 }).waitFor()
})
