import { it } from 'vitest'
import { createDashboard } from '../support/data/dashboards.ts'
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
