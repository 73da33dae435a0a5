import { screen, waitFor, within } from '@testing-library/react'
import { describe, expect, it } from 'vitest'
import { CAN_VIEW } from '#model/levels.ts'
import type { DashboardListItem } from '#server/features/dashboards/dashboards/schema.ts'
import { dashboard, dashboardItem, pageOf } from '../../test/fixtures.ts'
import { openPage } from '../../test/render.tsx'
import type { FakeRequest } from '../../test/server.ts'

const LIST = '/api/environments/1/dashboards'

const SALES = dashboardItem({ id: 1, name: 'Sales', tags: ['money', 'weekly'] })
const COSTS = dashboardItem({ id: 2, name: 'Costs', tags: ['money'], description: 'Spending' })
const VISITORS = dashboardItem({ id: 3, name: 'Visitors' })

/** Starts a server that stores dashboards, filters by text and trash, and applies patches. */
async function openList(
  items: readonly DashboardListItem[] = [SALES, COSTS, VISITORS],
  path = '/project/1/dashboards',
) {
  const saved = new Map(items.map((item) => [item.id, item]))
  const list = ({ query }: FakeRequest) =>
    pageOf(
      ...[...saved.values()]
        .filter(({ deleted }) => deleted === (query.get('deleted') === 'true'))
        .filter(({ description }) => description.includes(query.get('search') ?? ''))
        .filter(({ tags }) => query.getAll('tags').every((tag) => tags.includes(tag))),
    )
  const page = await openPage(path, {
    [`GET ${LIST}`]: list,
    [`GET ${LIST}/tags`]: [{ name: 'money', count: 2 }],
    [`POST ${LIST}`]: ({ body }: FakeRequest) => dashboard({ id: 4, ...(body as object) }),
    [`PATCH ${LIST}/*`]: ({ path, body }: FakeRequest) => {
      const id = Number(path.split('/').at(-1))
      saved.set(id, { ...(saved.get(id) as DashboardListItem), ...(body as object) })
      return saved.get(id)
    },
  })
  const choose = async (name: string, item: string) => {
    await page.user.click(screen.getByRole('button', { name: `Actions for ${name}` }))
    await page.user.click(await screen.findByRole('menuitem', { name: item }))
  }
  return {
    ...page,
    choose,
    lastList: () => page.server.requests.findLast(({ path }) => path === LIST),
  }
}

const names = () =>
  screen.getAllByRole('listitem').map((row) => within(row).getByRole('link').textContent)

describe('list of dashboards', () => {
  it('searches while the user types, and keeps the search in the URL', async () => {
    const { user, address } = await openList()

    await user.keyboard('/')
    await user.keyboard('Spend')

    await screen.findByText('1 dashboard')
    expect(names()).toEqual(['Costs'])
    expect(address()).toBe('/project/1/dashboards?search=Spend')
    await user.click(screen.getByRole('button', { name: 'Clear search' }))
    await screen.findByText('3 dashboards')
  })

  it('shows when nothing matches, and clears the filters', async () => {
    const { user } = await openList(undefined, '/project/1/dashboards?search=nothing')

    await user.click(await screen.findByRole('button', { name: 'Clear filters' }))

    await screen.findByText('3 dashboards')
    expect((screen.getByLabelText('Search dashboards') as HTMLInputElement).value).toBe('')
  })

  it('filters by tag and sorts', async () => {
    const { user, address, lastList } = await openList()

    await user.click(screen.getAllByRole('button', { name: 'Filter by tag money' })[0] as Element)
    await screen.findByText('2 dashboards')
    await user.click(screen.getByRole('combobox', { name: 'Sort' }))
    await user.click(await screen.findByRole('option', { name: 'Name, Z to A' }))

    await waitFor(() => expect(lastList()?.query.get('order')).toBe('-name'))
    expect(address()).toContain('sort=-name')
  })

  it('pins a dashboard and lists the pinned ones', async () => {
    const { user, server, lastList } = await openList()

    await user.click(screen.getByRole('button', { name: 'Pin Visitors' }))

    await screen.findByRole('button', { name: 'Unpin Visitors' })
    expect(server.bodiesOf(`PATCH ${LIST}/3`)).toEqual([{ pinned: true }])
    await user.click(screen.getByText('Pinned'))
    await waitFor(() => expect(lastList()?.query.get('pinned')).toBe('true'))
  })

  it('edits tags and duplicates', async () => {
    const { user, server, choose } = await openList()

    await choose('Sales', 'Edit tags')
    const dialog = await screen.findByRole('dialog')
    await user.type(within(dialog).getByRole('combobox', { name: 'Tags' }), 'new tag{Enter}')
    await user.click(within(dialog).getByRole('button', { name: 'Save' }))
    await screen.findByText('new tag')
    await choose('Sales', 'Duplicate')

    await screen.findByText('Created “Sales (Copy)”')
    const tags = ['money', 'weekly', 'new tag']
    expect(server.bodiesOf(`PATCH ${LIST}/1`)).toEqual([{ tags }])
    expect(server.bodiesOf(`POST ${LIST}`)).toEqual([
      { name: 'Sales (Copy)', description: '', tags, use_dashboard: 1, duplicate_tiles: true },
    ])
  })

  it('moves to trash and restores, and undoes either', async () => {
    const { user, server, choose } = await openList()

    await choose('Costs', 'Move to trash')
    await screen.findByText('“Costs” moved to trash')
    await user.click(screen.getByRole('button', { name: 'Undo' }))
    await screen.findByText('Costs')
    await choose('Costs', 'Move to trash')
    await screen.findByText('2 dashboards')
    await user.click(screen.getByText('Trash'))
    await screen.findByText('1 dashboard in the trash')
    await choose('Costs', 'Restore')

    await screen.findByText('“Costs” restored')
    await screen.findByRole('heading', { name: 'The trash is empty' })
    const moves = [true, false, true, false].map((deleted) => ({ deleted }))
    expect(server.bodiesOf(`PATCH ${LIST}/2`)).toEqual(moves)
  })

  it('changes several dashboards at once, and undoes it', async () => {
    const { user, server } = await openList()
    await user.click(screen.getByRole('checkbox', { name: 'Select Costs' }))
    await user.click(screen.getByRole('checkbox', { name: 'Select Visitors' }))
    const bar = screen.getByRole('region', { name: 'Selected dashboards' })

    await user.click(within(bar).getByRole('button', { name: 'Add tags' }))
    const dialog = await screen.findByRole('dialog')
    await user.type(within(dialog).getByRole('combobox', { name: 'Tags' }), 'both{Enter}')
    await user.click(within(dialog).getByRole('button', { name: 'Add tags' }))
    await waitFor(() => expect(screen.getAllByText('both')).toHaveLength(2))
    await user.click(within(bar).getByRole('button', { name: 'Pin' }))
    await screen.findByRole('button', { name: 'Unpin Visitors' })
    await user.click(within(bar).getByRole('button', { name: 'Move to trash' }))

    await screen.findByText('2 dashboards moved to trash')
    expect(server.bodiesOf(`PATCH ${LIST}/2`)).toEqual([
      { tags: ['money', 'both'] },
      { pinned: true },
      { deleted: true },
    ])
    expect(screen.queryByRole('region', { name: 'Selected dashboards' })).toBeNull()
    expect(names()).toEqual(['Sales'])
    await user.click(screen.getByRole('button', { name: 'Undo' }))
    await screen.findByText('3 dashboards')
  })

  it('clears the selection when the search changes', async () => {
    const { user } = await openList()
    await user.click(screen.getByRole('checkbox', { name: 'Select Costs' }))
    expect(screen.getByText('1 selected')).toBeTruthy()

    await user.click(screen.getAllByRole('button', { name: 'Filter by tag money' })[0] as Element)
    await screen.findByText('2 dashboards')

    expect(screen.queryByText('1 selected')).toBeNull()
  })

  it('creates a blank dashboard from the keyboard', async () => {
    const { user, server, address } = await openList()

    await user.keyboard('n')
    await user.click(await screen.findByRole('menuitem', { name: 'Blank' }))
    server.reply({ 'GET /api/environments/1/dashboards/4*': dashboard({ id: 4 }) })
    await user.type(await screen.findByRole('textbox', { name: 'Name' }), 'Fresh{Enter}')

    await waitFor(() => expect(address()).toBe('/project/1/dashboards/4'))
    expect(server.bodiesOf(`POST ${LIST}`)).toEqual([{ name: 'Fresh' }])
  })

  it('shows markup in names, descriptions and tags as text', async () => {
    const markup = '<img src=x onerror=alert(1)>'
    await openList([dashboardItem({ name: markup, description: markup, tags: [markup] })])

    expect(screen.getByRole('link', { name: markup })).toBeTruthy()
    expect(document.querySelector('main img')).toBeNull()
  })

  it('disables changes for users who can only view', async () => {
    const { user } = await openList([
      dashboardItem({ name: 'Locked', effective_privilege_level: CAN_VIEW }),
    ])
    const isDisabled = (element: HTMLElement) => (element as HTMLButtonElement).disabled

    expect(isDisabled(screen.getByRole('button', { name: 'Pin Locked' }))).toBe(true)
    await user.click(screen.getByRole('button', { name: 'Actions for Locked' }))

    expect(isDisabled(await screen.findByRole('menuitem', { name: 'Rename' }))).toBe(true)
    expect(isDisabled(screen.getByRole('menuitem', { name: 'Duplicate' }))).toBe(false)
  })
})
