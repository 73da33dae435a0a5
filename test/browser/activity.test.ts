import { expect, it } from 'vitest'
import { DASHBOARDS } from '../support/app/app.ts'
import { until } from '../support/until.ts'
import { expectNoProblems, openWeb } from './browser.ts'

const HOSTILE = '<img src=x onerror="document.title=1">'

it('describes changes, filters them on the server, and links to the changed item', async () => {
  const web = await openWeb()
  const { api, page } = web
  const { body } = await api.post(DASHBOARDS, { name: 'Growth' })
  await api.patch(`${DASHBOARDS}/${body.id}`, { name: 'Growth 2026' })
  await api.patch(`${DASHBOARDS}/${body.id}`, { description: HOSTILE, tags: ['weekly'] })
  await api.post(DASHBOARDS, { name: HOSTILE })
  await page.goto(`/project/${api.projectId}/activity`)
  const entries = page.getByRole('main').getByRole('listitem')

  await entries.filter({ hasText: 'Owner created dashboard Growth' }).first().waitFor()
  await entries.filter({ hasText: 'Owner renamed dashboard Growth to Growth 2026' }).waitFor()
  await entries.filter({ hasText: `Owner created dashboard ${HOSTILE}` }).waitFor()
  await page.getByRole('textbox', { name: 'Search by name' }).fill('2026')
  await until(async () => (await entries.count()) === 2)
  await page.reload()
  await until(async () => (await entries.count()) === 2)
  const edited = entries.filter({ hasText: 'the description and tags' })
  await edited.getByRole('button', { name: '2 changes' }).click()
  await edited.getByText(HOSTILE).waitFor()
  await edited.getByRole('link', { name: 'Growth 2026' }).click()

  await page.waitForURL(`**/project/${api.projectId}/dashboards/${body.id}`)
  expect(await page.locator('img[src=x]').count()).toBe(0)
  expectNoProblems(web)
})
