import { expect, it } from 'vitest'
import { startApp } from '../support/app/app.ts'
import { createDashboard, pathOf } from '../support/data/dashboards.ts'
import { addVisits, visits } from '../support/data/visits.ts'
import { startMailServer } from '../support/servers/mail-server.ts'
import { expectNoProblems, openBrowser, openWeb } from './browser.ts'
import { openShare, pageOf } from './dashboard.ts'

const PUBLIC = 'Anyone with the link can view'

it('creates a link that works for everyone, and disables it', async () => {
  const web = await openWeb()
  const { api, page } = web
  const { id } = await createDashboard(api, { name: 'Sales' })
  const dialog = await openShare(page, pageOf(api, id))
  const stranger = await openBrowser(api, { as: null })

  await dialog.getByRole('switch', { name: PUBLIC }).click()

  const link = await dialog.getByLabel('Public link').getByRole('textbox').inputValue()
  await stranger.page.goto(link)
  await stranger.page.getByRole('heading', { name: 'Sales' }).waitFor()
  await dialog.getByRole('switch', { name: PUBLIC }).click()
  await dialog.getByRole('tab', { name: 'Embed' }).waitFor({ state: 'detached' })
  await stranger.page.reload()
  await stranger.page.getByRole('heading', { name: 'Dashboard not found' }).waitFor()
  expectNoProblems(web)
})

it('shares a single insight, with dates for viewers to change', async () => {
  const web = await openWeb()
  const { api, page } = web
  await addVisits(api, 3)
  const { body: insight } = await api.post('insights', { name: 'Visits', query: visits() })
  await page.goto(`/project/${api.projectId}/insights/${insight.short_id}`)

  await page.getByRole('button', { name: 'More actions' }).click()
  await page.getByRole('menuitem', { name: 'Share' }).click()
  const dialog = page.getByRole('dialog', { name: 'Share' })
  await dialog.getByRole('button', { name: 'Add link' }).click()
  const form = page.getByRole('dialog', { name: 'Add a public link' })
  await form.getByLabel('Label').fill('Board')
  await form.getByLabel('Dates, within those of the insight').check()
  await form.getByRole('button', { name: 'Add property' }).click()
  await form.getByRole('button', { name: 'Add link' }).click()
  await dialog.getByText('Board').waitFor()

  const [link] = (await api.get(`insights/${insight.id}/sharing/links`)).body.results
  const stranger = await openBrowser(api, { as: null })
  await stranger.page.goto(`/shared/${link.access_token}`)
  await stranger.page.getByRole('heading', { name: 'Visits' }).waitFor()
  await stranger.page.locator('.live').waitFor()
  await stranger.page.getByLabel('From').fill('2020-01-01')
  await stranger.page.getByLabel('To').fill('2020-01-31')
  await stranger.page.getByRole('button', { name: 'Apply' }).click()
  await stranger.page.getByText('Nothing to show on these dates.').waitFor()
  expect(link.viewer_filters).toEqual({ dates: true, properties: [], variables: [] })
  expectNoProblems(web)
  expectNoProblems(stranger)
})

it('invites a guest, who opens the link with a code until they are removed', async () => {
  const mail = await startMailServer()
  const api = await startApp(undefined, {
    HEDGEROW_SMTP_URL: mail.url,
    HEDGEROW_MAIL_FROM: 'hedgerow@example.com',
  })
  const { id } = await createDashboard(api, { name: 'Sales' })
  const owner = await openBrowser(api)
  const dialog = await openShare(owner.page, pageOf(api, id))
  await dialog.getByRole('button', { name: 'Add link' }).click()
  const form = owner.page.getByRole('dialog', { name: 'Add a public link' })
  await form.getByLabel('Label').fill('Board')
  await form.getByRole('combobox', { name: 'Who can open it' }).click()
  await owner.page.getByRole('option', { name: 'Only people you invite' }).click()
  await form.getByRole('button', { name: 'Add link' }).click()
  const guests = owner.page.getByRole('dialog', { name: 'Guests of “Board”' })
  await guests.getByLabel('E-mail address or domain').fill('ada@example.com')
  await guests.getByRole('button', { name: 'Invite guest' }).click()
  await guests.getByRole('listitem').filter({ hasText: 'ada@example.com' }).waitFor()

  const { body } = await api.get(`${pathOf(id)}/sharing/links`)
  const [, link] = body.results
  const guest = await openBrowser(api, { as: null, viewport: { width: 360, height: 740 } })
  const { page } = guest
  await page.goto(`/shared/${link.access_token}`)
  await page.getByLabel('E-mail address').fill('ada@example.com')
  await page.getByRole('button', { name: 'Send code' }).click()
  const [received] = await mail.waitFor(1)
  const code = /^Subject: (\d{6}) /m.exec(received?.source ?? '')?.[1] ?? ''
  await page.getByLabel('Code').fill(code)
  await page.getByRole('button', { name: 'View' }).click()
  await page.getByRole('heading', { name: 'Sales' }).waitFor()

  await guests.getByRole('button', { name: 'Remove ada@example.com' }).click()
  await page.getByRole('heading', { name: 'Who are you?' }).waitFor()
  await guests.getByRole('button', { name: 'Close' }).click()
  await dialog.getByRole('button', { name: 'More for Board' }).click()
  await owner.page.getByRole('menuitem', { name: 'Views…' }).click()
  const views = owner.page.getByRole('dialog', { name: 'Views of “Board”' })
  await views.getByRole('row', { name: /ada@example.com/ }).waitFor()
  expectNoProblems(owner)
  expectNoProblems(guest)
})
