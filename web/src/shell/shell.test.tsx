import { screen, waitFor } from '@testing-library/react'
import { describe, expect, it } from 'vitest'
import { stubEventSource } from '../test/event-source.ts'
import { fill } from '../test/fill.ts'
import { dashboardItem, pageOf } from '../test/fixtures.ts'
import { openPage } from '../test/render.tsx'
import type { Routes } from '../test/server.ts'

const HOSTILE = 'Growth & <b>more</b>'
const routes: Routes = {
  'GET /api/projects/1/members': pageOf(),
  'GET /api/projects/1/activity_log': pageOf(),
  'GET /api/projects/1/events': { next: null, results: [] },
  'GET /api/projects/1/event_definitions': pageOf(),
  'GET /api/environments/1/dashboards': pageOf(dashboardItem({ name: HOSTILE })),
  'GET /api/environments/1/insights': pageOf(),
}

describe('shell', () => {
  it('finds pages and dashboards in the command palette', async () => {
    const { user } = await openPage('/project/1/activity', routes)
    await screen.findByRole('heading', { name: 'Activity', level: 1 })

    await user.keyboard('{Control>}k{/Control}')
    await fill(user, await screen.findByPlaceholderText(/^Search dashboards/), 'growth')

    expect(await screen.findByText(HOSTILE)).toBeTruthy()
    expect(screen.queryByText('Settings: API keys')).toBeNull()
  })

  it('shows the keyboard shortcuts', async () => {
    const { user } = await openPage('/project/1/activity', routes)
    await screen.findByRole('heading', { name: 'Activity', level: 1 })

    await user.keyboard('?')

    expect(await screen.findByRole('dialog', { name: 'Keyboard shortcuts' })).toBeTruthy()
  })

  it('goes to a page by its two-key shortcut', async () => {
    stubEventSource()
    const { user, address } = await openPage('/project/1/activity', routes)
    await screen.findByRole('heading', { name: 'Activity', level: 1 })

    await user.keyboard('ge')

    await waitFor(() => expect(address()).toBe('/project/1/events'))
  })

  it('shows that a page does not exist', async () => {
    await openPage('/no/such/page', routes)

    expect(await screen.findByRole('heading', { name: 'Page not found' })).toBeTruthy()
  })
})
