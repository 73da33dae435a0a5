import { describe, expect, it } from 'vitest'
import { createDashboard } from '../support/data/dashboards.ts'
import { createInsight, insightPath } from '../support/data/insights.ts'
import { expectNoProblems, openWeb } from './browser.ts'

const event = (name: string) => ({ kind: 'EventsNode', event: name })
const FUNNEL = { kind: 'FunnelsQuery', series: [event('a'), event('b')] }

async function startWithSome() {
  const web = await openWeb()
  const { api, page } = web
  const growth = await createDashboard(api, { name: 'Growth' })
  const signUps = { name: 'Sign-ups', tags: ['people'], dashboards: [growth.id] }
  const { id: starred } = await createInsight(api, signUps)
  const wayToBuy = { name: 'Way to buy', query: FUNNEL, description: 'Steps' }
  const { id: added } = await createInsight(api, wayToBuy)
  const list = `/project/${api.projectId}/insights`
  await page.goto(list)
  await page.getByText('2 insights').waitFor()
  return { ...web, list, growth, starred, added }
}

describe('list of insights', () => {
  it('shows, finds, stars, places, duplicates, deletes and restores insights', async () => {
    const web = await startWithSome()
    const { api, page, list, growth, starred, added } = web
    const choose = async (name: string, item: string) => {
      await page.getByRole('button', { name: `Actions for ${name}`, exact: true }).click()
      await page.getByRole('menuitem', { name: item }).click()
      await page.getByRole('menu').waitFor({ state: 'detached' })
    }

    await page.getByRole('link', { name: 'Growth' }).waitFor()
    const row = page.getByRole('listitem').filter({ hasText: 'Way to buy' })
    await row.getByRole('img', { name: 'Funnel' }).waitFor()
    await row.getByText('Not on a dashboard').waitFor()

    await page.keyboard.press('/')
    await page.keyboard.type('steps')
    await page.getByText('1 insight', { exact: true }).waitFor()
    expect(new URL(page.url()).searchParams.get('search')).toBe('steps')
    await page.getByRole('link', { name: 'Way to buy' }).waitFor()
    await page.goto(list)

    await page.getByRole('button', { name: 'Add to favorites: Sign-ups' }).click()
    await page.getByRole('button', { name: 'Remove from favorites: Sign-ups' }).waitFor()
    await page.getByText('Favorites', { exact: true }).click()
    await page.getByText('1 insight', { exact: true }).waitFor()
    expect((await api.get(insightPath(starred))).body.favorited).toBe(true)
    await page.getByText('All', { exact: true }).click()

    await choose('Way to buy', 'Add to dashboard')
    await page.getByRole('combobox', { name: 'Dashboard' }).click()
    await page.getByRole('option', { name: 'Growth' }).click()
    await page.getByRole('button', { name: 'Add insight' }).click()
    await page.getByText('Added “Way to buy” to the dashboard').waitFor()
    expect((await api.get(insightPath(added))).body.dashboards).toEqual([growth.id])

    await choose('Sign-ups', 'Duplicate')
    await page.getByText('3 insights').waitFor()
    await choose('Sign-ups (Copy)', 'Move to trash')
    await page.getByText('“Sign-ups (Copy)” moved to trash').waitFor()
    await page.getByText('2 insights').waitFor()
    await page.getByText('Trash', { exact: true }).click()
    await choose('Sign-ups (Copy)', 'Restore')
    await page.getByRole('heading', { name: 'The trash is empty' }).waitFor()
    await page.getByText('“Sign-ups (Copy)” restored').waitFor()
    expectNoProblems(web)
  })
})
