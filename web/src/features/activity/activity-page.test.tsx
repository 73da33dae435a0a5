import { screen, waitFor, within } from '@testing-library/react'
import { describe, expect, it } from 'vitest'
import type { LoggedActivity } from '#server/features/activity/schema.ts'
import { fill } from '../../test/fill.ts'
import { ME, pageOf } from '../../test/fixtures.ts'
import { openPage } from '../../test/render.tsx'

const LOG = '/api/projects/1/activity_log'
const HOSTILE = '<img src=x onerror="document.title=1">'

const entry = (id: number, name: string, fields: Partial<LoggedActivity> = {}): LoggedActivity => ({
  id,
  user: { first_name: 'Olive', email: 'olive@example.com' },
  activity: 'created',
  scope: 'Dashboard',
  item_id: '1',
  detail: { name, changes: [], trigger: null, type: null, short_id: null },
  created_at: new Date().toISOString(),
  item: { kind: 'dashboard', id: '1', name },
  ...fields,
})

const ann = { ...ME, id: 2, first_name: 'Ann', last_name: '', email: 'ann@example.com' }
const routes = {
  'GET /api/projects/1/members': pageOf({ user: ME }, { user: ann }),
}
const lastQuery = (requests: readonly { path: string; query: URLSearchParams }[]) =>
  Object.fromEntries(requests.findLast(({ path }) => path === LOG)?.query ?? [])

describe('activity page', () => {
  it('groups entries by day and expands their changes, as text', async () => {
    const change = { type: 'Dashboard', action: 'changed', before: '' }
    const changes = [
      { ...change, field: 'description', after: HOSTILE },
      { ...change, field: 'tags', after: ['weekly'] },
    ]
    const detail = { ...entry(1, 'Growth').detail, changes }
    const { user } = await openPage('/project/1/activity', {
      ...routes,
      [`GET ${LOG}`]: pageOf(
        entry(2, HOSTILE),
        entry(1, 'Growth', { activity: 'updated', detail }),
      ),
    })

    const edited = (await screen.findByText(/description and tags of dashboard/)).closest('li')
    // the day before the month, as in charts
    expect(
      screen.getByRole('heading', { name: /^Today · [A-Z][a-z]+, \d+ [A-Z][a-z]+$/ }),
    ).toBeTruthy()
    await user.click(within(edited as HTMLElement).getByRole('button', { name: '2 changes' }))

    expect(within(edited as HTMLElement).getByText(HOSTILE)).toBeTruthy()
    expect(within(edited as HTMLElement).getByRole('link', { name: 'Growth' })).toBeTruthy()
    expect(screen.getByRole('link', { name: HOSTILE })).toBeTruthy()
    expect(document.querySelector('img[src=x]')).toBeNull()
  })

  it('filters by type, user and name, and keeps the filters in the URL', async () => {
    const { user, server, address } = await openPage('/project/1/activity', {
      ...routes,
      [`GET ${LOG}`]: pageOf(entry(1, 'Growth')),
    })
    await screen.findByText('Growth')

    await user.click(screen.getByRole('combobox', { name: 'Type' }))
    await user.click(await screen.findByRole('option', { name: 'Dashboards' }))
    await user.click(screen.getByRole('combobox', { name: 'User' }))
    await user.click(await screen.findByRole('option', { name: 'Ann' }))
    await fill(user, screen.getByRole('textbox', { name: 'Search by name' }), '2026')

    await waitFor(() =>
      expect(lastQuery(server.requests)).toMatchObject({
        scope: 'Dashboard',
        user: '2',
        search: '2026',
      }),
    )
    expect(document.activeElement?.getAttribute('aria-label')).toBe('Search by name')
    expect(new URL(address(), 'http://x').searchParams.get('scope')).toBe('Dashboard')
    await user.click(screen.getByRole('button', { name: 'Clear filters' }))
    await waitFor(() => expect(address()).toBe('/project/1/activity'))
  })

  it('restores filters from the URL and shows when nothing matches', async () => {
    const { server } = await openPage('/project/1/activity?search=nothing&user=2', {
      ...routes,
      [`GET ${LOG}`]: pageOf(),
    })

    expect(await screen.findByText('No activity matches these filters.')).toBeTruthy()
    expect(lastQuery(server.requests)).toMatchObject({ search: 'nothing', user: '2' })
  })

  it('loads more entries on demand', async () => {
    const { user } = await openPage('/project/1/activity', {
      ...routes,
      [`GET ${LOG}`]: ({ query }: { query: URLSearchParams }) =>
        query.get('offset') === '0'
          ? { ...pageOf(entry(2, 'Newer')), next: 'more' }
          : pageOf(entry(1, 'Older')),
    })
    await screen.findByText('Newer')

    await user.click(screen.getByRole('button', { name: 'Load more' }))

    expect(await screen.findByText('Older')).toBeTruthy()
    expect(screen.queryByRole('button', { name: 'Load more' })).toBeNull()
  })
})
