import { screen, waitFor } from '@testing-library/react'
import { describe, expect, it, onTestFinished } from 'vitest'
import { stubEventSource } from '../test/event-source.ts'
import { dashboardItem, PROJECT, pageOf } from '../test/fixtures.ts'
import { openPage } from '../test/render.tsx'
import type { Routes } from '../test/server.ts'

const routes: Routes = {
  'GET /api/projects/1/members': pageOf(),
  'GET /api/projects/1/activity_log': pageOf(),
  'GET /api/projects/1/events': { next: null, results: [] },
  'GET /api/projects/1/event_definitions': pageOf(),
  'GET /api/environments/1/dashboards': pageOf(dashboardItem()),
  'GET /api/environments/1/insights': pageOf(),
}

describe('shell', () => {
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

  it("shows times in the project's zone, or the browser's if chosen", async () => {
    onTestFinished(() => localStorage.removeItem('hedgerow-times'))
    const event = {
      ...{ id: '1', uuid: '1', event: 'visit', distinct_id: 'ada', properties: {}, person: null },
      timestamp: '2020-03-01T22:30:00.000Z',
    }
    stubEventSource()
    const { user } = await openPage('/project/1/events', {
      ...routes,
      'GET /api/projects': pageOf({ ...PROJECT, timezone: 'Asia/Tokyo' }),
      'GET /api/projects/1/events': { next: null, results: [event] },
    })

    expect(await screen.findAllByText('2 Mar 2020, 07:30')).not.toEqual([])
    expect(screen.getByText('Asia/Tokyo')).toBeTruthy()
    await user.click(screen.getByRole('button', { name: /^Account menu/ }))
    await user.click(await screen.findByRole('menuitem', { name: 'Browser' }))

    const local = new Date(event.timestamp)
    const clock = [local.getHours(), local.getMinutes()].map((part) => `${part}`.padStart(2, '0'))
    const shown = new RegExp(`Mar 2020, ${clock.join(':')}$`)
    expect(await screen.findAllByText(shown)).not.toEqual([])
    expect(screen.getByText('Browser time')).toBeTruthy()
  })

  it('shows no app around a project that does not exist', async () => {
    await openPage('/project/7/dashboards', routes)

    expect(await screen.findByRole('heading', { name: 'Page not found' })).toBeTruthy()
    expect(screen.queryByRole('navigation')).toBeNull()
    expect(screen.queryByRole('button', { name: 'Search or jump to…' })).toBeNull()
  })

  it('shows the same avatar in the header as everywhere', async () => {
    await openPage('/project/1/activity', routes)

    const menu = await screen.findByRole('button', { name: 'Account menu for Olive Owner' })
    expect(menu.textContent).toBe('O')
  })

  it('keeps the navigation around a page of the project that does not exist', async () => {
    await openPage('/project/1/nonsense', routes)

    expect(await screen.findByRole('heading', { name: 'Page not found' })).toBeTruthy()
    expect(screen.getByRole('link', { name: 'Dashboards' })).toBeTruthy()
    await waitFor(() => expect(document.title).toBe('Page not found · Hedgerow'))
  })

  it('shows that a page does not exist', async () => {
    await openPage('/no/such/page', routes)

    expect(await screen.findByRole('heading', { name: 'Page not found' })).toBeTruthy()
  })
})
