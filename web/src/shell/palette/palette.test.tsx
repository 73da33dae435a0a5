import { screen } from '@testing-library/react'
import { describe, expect, it } from 'vitest'
import { fill } from '../../test/fill.ts'
import { dashboardItem, ME, pageOf } from '../../test/fixtures.ts'
import { openPage } from '../../test/render.tsx'
import type { Routes } from '../../test/server.ts'

const HOSTILE = 'Growth & <b>more</b>'
const routes: Routes = {
  'GET /api/projects/1/members': pageOf(),
  'GET /api/projects/1/activity_log': pageOf(),
  'GET /api/environments/1/dashboards': pageOf(dashboardItem({ name: HOSTILE })),
  'GET /api/environments/1/insights': pageOf({
    id: 2,
    short_id: 'abc',
    name: '',
    derived_name: 'Trends: growth',
  }),
  'GET /api/projects/1/pipeline_import_apps_configs': pageOf(
    { id: 3, name: 'Growth sheet' },
    { id: 4, name: 'Orders' },
  ),
  'GET /api/projects/1/alerts': pageOf({ id: 'a', name: 'Growth stalls' }),
  'GET /api/projects/1/persons': pageOf({ uuid: 'u', name: 'growth@example.com' }),
  'GET /api/organizations/@current/members': pageOf({
    user: { ...ME, first_name: 'Gro', last_name: 'Wth' },
  }),
}

async function search(text: string, more: Routes = {}) {
  const opened = await openPage('/project/1/activity', { ...routes, ...more })
  await screen.findByRole('heading', { name: 'Activity', level: 1 })
  await opened.user.keyboard('{Control>}k{/Control}')
  await screen.findByRole('dialog', { name: 'Command palette' })
  await fill(opened.user, await screen.findByLabelText(/^Search pages/), text)
  return opened
}

describe('command palette', () => {
  it('finds everything with a name', async () => {
    await search('growth')

    for (const name of [HOSTILE, 'Trends: growth', 'Growth sheet', 'Growth stalls']) {
      expect(await screen.findByText(name)).toBeTruthy()
    }
    expect(screen.getByText('growth@example.com')).toBeTruthy()
    expect(screen.getByText('Gro Wth')).toBeTruthy()
    expect(screen.queryByText('Orders')).toBeNull()
    expect(screen.queryByText('Settings: API keys')).toBeNull()
  })

  it('puts the exact name first, then names that start with the text', async () => {
    const others = Array.from({ length: 10 }, (_, at) => `About settings ${at}`)
    const names = [...others, 'Settings of Asia', 'settings']
    await search('Settings', {
      'GET /api/environments/1/dashboards': pageOf(
        ...names.map((name, id) => dashboardItem({ id, name })),
      ),
    })

    const first = (await screen.findByText('settings')).closest('[data-action]')
    const shown = [...document.querySelectorAll('[data-action]')]
    const labels = shown.map(({ textContent }) => textContent)
    expect(shown.slice(0, 2)).toContain(first)
    expect(labels.indexOf('Settings of AsiaDashboard')).toBeLessThan(
      labels.indexOf('About settings 0Dashboard'),
    )
    expect(labels.filter((label) => label?.endsWith('Dashboard'))).toHaveLength(8)
  })

  it.each(['API keys', 'Backups'])('finds the settings %s', async (section) => {
    await search(section.toLowerCase())

    expect(await screen.findByText(`Settings: ${section}`)).toBeTruthy()
  })

  it('runs an action by keyboard', async () => {
    const { user } = await search('keyboard')

    await screen.findByText('Show keyboard shortcuts')
    await user.keyboard('{ArrowDown}{Enter}')

    expect(await screen.findByRole('dialog', { name: 'Keyboard shortcuts' })).toBeTruthy()
  })
})
