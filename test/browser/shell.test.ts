import { describe, expect, it } from 'vitest'
import { expectAccessible } from './accessible.ts'
import { expectNoProblems, startWeb } from './browser.ts'

describe('the web app', () => {
  it('leads from its start to the dashboards of the current project', async () => {
    const web = await startWeb()

    await web.page.goto('/')

    await web.page.getByRole('heading', { name: 'Dashboards', level: 1 }).waitFor()
    expect(new URL(web.page.url()).pathname).toBe('/project/1/dashboards')
    expectNoProblems(web)
  })

  it('asks to sign in, and remembers where to', async () => {
    const { page } = await startWeb({ as: null })

    await page.goto('/project/1/events?event=x')

    await page.getByRole('button', { name: 'Sign in' }).waitFor()
    expect(new URL(page.url()).searchParams.get('next')).toBe('/project/1/events?event=x')
  })

  it('says on a page that there is no such page, and to programs as ever', async () => {
    const { api, page } = await startWeb()

    const answer = await page.goto('/no/such/page')

    await page.getByRole('heading', { name: 'Page not found' }).waitFor()
    expect(answer?.status()).toBe(404)
    expect((await api.get('/no/such/page')).body.code).toBe('not_found')
    expect((await page.goto('/api/nothing'))?.headers()['content-type']).toContain('json')
  })

  it('opens what is searched for with the keyboard', async () => {
    const { api, page } = await startWeb()
    await api.post('dashboards', { name: 'Growth & <b>more</b>' })
    await page.goto('/project/1/events')
    await page.getByRole('heading', { name: 'Events' }).waitFor()

    await page.keyboard.press('Control+k')
    await page.getByPlaceholder('Search dashboards').fill('growth')
    await page.getByText('Growth & <b>more</b>').click()

    await page.waitForURL('**/project/1/dashboards/1')
  })

  it('shows its keyboard shortcuts', async () => {
    const { page } = await startWeb()
    await page.goto('/project/1/events')
    await page.getByRole('heading', { name: 'Events' }).waitFor()

    await page.keyboard.press('?')

    await page.getByRole('dialog', { name: 'Keyboard shortcuts' }).waitFor()
  })

  it.each(['light', 'dark'] as const)('is accessible in the %s', async (colorScheme) => {
    const { page } = await startWeb({ colorScheme, bypassCSP: true })

    await page.goto('/project/1/events')
    await page.getByRole('heading', { name: 'Events' }).waitFor()

    await expectAccessible(page)
  })
})
