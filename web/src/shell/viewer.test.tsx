import { screen, waitFor, within } from '@testing-library/react'
import { describe, expect, it } from 'vitest'
import {
  dashboard,
  dashboardItem,
  insight,
  insightTile,
  ME,
  PROJECT,
  pageOf,
} from '../test/fixtures.ts'
import { openPage } from '../test/render.tsx'
import { problem, type Routes } from '../test/server.ts'

const VIEWED = { ...PROJECT, user_access_level: 'viewer', api_token: '' } as const
const DASHBOARD = 'GET /api/environments/1/dashboards/7'

const routes: Routes = {
  'GET /api/users/@me': {
    ...ME,
    team: VIEWED,
    organization: { ...ME.organization, membership_level: 1 },
  },
  'GET /api/projects': pageOf(VIEWED),
  'GET /api/environments/1/dashboards': pageOf(
    dashboardItem({ id: 7, name: 'Sales', is_shared: true, effective_privilege_level: 21 }),
  ),
  'GET /api/environments/1/dashboards/tags': [],
  'GET /api/environments/1/insights/tags': [],
  'GET /api/projects/1/comments/count': { count: 0 },
  [`${DASHBOARD}/activity`]: () => problem(403, 'Viewers cannot do this.'),
  [DASHBOARD]: dashboard({
    id: 7,
    name: 'Sales',
    tiles: [insightTile(1, 'Visits')] as never,
    effective_privilege_level: 21,
  }),
}

const exporting: Routes = {
  ...routes,
  'GET /api/projects': pageOf({ ...VIEWED, viewers_can_export: true }),
}

const open = (path: string, added: Routes = routes) => openPage(`/project/1/${path}`, added)

const openMenu = async (path: string, name: string | RegExp, added?: Routes) => {
  const { user, server } = await open(path, added)
  await user.click(await screen.findByRole('button', { name }))
  await screen.findAllByRole('menuitem')
  const items = screen.getAllByRole('menuitem').map(({ textContent }) => textContent)
  return { user, server, items }
}

describe('a viewer of a project', () => {
  it('finds dashboards and insights in the navigation, and their own settings', async () => {
    await open('dashboards')

    const navigation = await screen.findByRole('navigation', { name: 'Main' })

    const links = within(navigation).getAllByRole('link')
    expect(links.map(({ textContent }) => textContent)).toEqual([
      ...['Dashboards', 'Insights', 'Documentation', 'Settings'],
    ])
  })

  it.each([
    'events',
    'persons',
    'apps',
    'alerts',
    'activity',
    'templates',
    'insights/new',
    'connect',
  ])('is told that the page %s is closed to them', async (page) => {
    const { server } = await open(page)

    expect(await screen.findByText('This page is not open to viewers')).toBeTruthy()
    expect(screen.getByRole('link', { name: 'Show dashboards' })).toBeTruthy()
    const asked = server.requests.map(({ path }) => path)
    expect(asked.filter((path) => path.startsWith('/api/projects/1/'))).toEqual([])
  })

  it('creates, duplicates and shares nothing in the list of dashboards', async () => {
    const { items } = await openMenu('dashboards', 'Actions for Sales')

    expect(items).toEqual(['Open', 'Edit tags', 'Rename', 'Move to trash'])
    expect(screen.queryByRole('button', { name: /New dashboard/ })).toBeNull()
    expect(screen.queryByText('Trash')).toBeNull()
    for (const name of ['Edit tags', 'Rename', 'Move to trash']) {
      expect(screen.getByRole('menuitem', { name }).hasAttribute('data-disabled')).toBe(true)
    }
  })

  it('sees a dashboard with its own filters, without what they cannot use', async () => {
    const { items, server } = await openMenu('dashboards/7?date_from=-90d', 'More actions')

    expect(items).toEqual([expect.stringContaining('Full screen'), 'TV mode…', 'Comments'])
    expect(screen.queryByRole('button', { name: 'Share' })).toBeNull()
    expect(screen.queryByRole('button', { name: /^Dates/ })).toBeNull()
    expect(screen.queryByRole('button', { name: 'Add filter' })).toBeNull()
    const shown = server.requests.filter(({ path }) => path.endsWith('/dashboards/7')).at(-1)
    expect(shown?.query.get('filters_override')).toBeNull()
    const asked = new Set(server.requests.map(({ path }) => path.split('/').at(-1)))
    for (const closed of ['alerts', 'import_health', 'groups_types', 'saved_views']) {
      expect(asked.has(closed), closed).toBe(false)
    }
  })

  it('exports where the project allows it', async () => {
    const { items } = await openMenu('dashboards/7', 'More actions', exporting)

    expect(items.slice(3)).toEqual(['PNG', 'PDF', 'CSV', 'JSON'])
  })

  it('sees an insight without the editor', async () => {
    const saved = insight({ short_id: 'abc', name: 'Visits', description: 'Of people' })
    const { server } = await open('insights/abc', {
      ...routes,
      'GET /api/environments/1/insights/abc': saved,
    })

    expect(await screen.findByRole('heading', { name: 'Visits', level: 1 })).toBeTruthy()
    expect(screen.getByText('Of people')).toBeTruthy()
    expect(screen.queryByRole('button', { name: 'Save' })).toBeNull()
    expect(server.requests.filter(({ method }) => method === 'POST')).toEqual([])
  })

  it('has settings for the account and keys only', async () => {
    await open('settings/members', {
      ...routes,
      'GET /api/personal_api_keys': [],
    })

    const sections = await screen.findByRole('navigation', { name: 'Settings' })

    const names = within(sections).getAllByRole('link')
    await waitFor(() =>
      expect(names.map(({ textContent }) => textContent)).toEqual(['API keys', 'Account']),
    )
  })
})
