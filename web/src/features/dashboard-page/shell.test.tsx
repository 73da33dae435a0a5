import { screen, waitFor, within } from '@testing-library/react'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import type { Dashboard } from '#server/features/dashboards/dashboards/schema.ts'
import type { Tile, TileInput } from '#server/features/dashboards/tiles/schema.ts'
import {
  dashboard,
  dashboardItem,
  insight,
  insightTile,
  ME,
  PROJECT,
  pageOf,
} from '../../test/fixtures.ts'
import { openPage } from '../../test/render.tsx'
import { type FakeRequest, problem, type Routes } from '../../test/server.ts'

const PATH = '/api/environments/1/dashboards/1'
const PATCH = `PATCH ${PATH}`
const LIST: Routes = {
  'GET /api/environments/1/dashboards': pageOf(dashboardItem()),
  'GET /api/environments/1/dashboards/tags': [],
}

const open = (fields: Partial<Dashboard>, routes: Routes = {}, search = '') =>
  openPage(`/project/1/dashboards/1${search}`, {
    [`GET ${PATH}`]: dashboard(fields),
    [`GET ${PATH}/activity`]: pageOf(),
    ...routes,
  })

const textTile = (id: number, { text, layouts }: TileInput): Tile => ({
  ...insightTile(id, ''),
  layouts: layouts ?? {},
  insight: null,
  text: {
    id,
    body: text?.body ?? '',
    created_by: ME,
    last_modified_at: ME.date_joined,
    last_modified_by: ME,
    team: 1,
  },
})

describe('a new text', () => {
  it('is scrolled into view and ready to be replaced by typing', async () => {
    const scroll = vi.spyOn(Element.prototype, 'scrollIntoView').mockReturnValue()
    onTestFinished(() => scroll.mockRestore())
    let saved = dashboard({ tiles: [insightTile(1, 'Visits')] })
    const { user } = await open(
      {},
      {
        [`GET ${PATH}`]: () => saved,
        [PATCH]: ({ body }: FakeRequest) => {
          const [added = {}] = (body as { tiles: TileInput[] }).tiles
          saved = { ...saved, tiles: [...saved.tiles, textTile(7, added)] }
          return saved
        },
      },
    )

    await user.click(await screen.findByRole('button', { name: 'Add tile' }))
    await user.click(await screen.findByRole('menuitem', { name: 'Text' }))

    const field = await screen.findByLabelText<HTMLTextAreaElement>('Text in Markdown')
    await waitFor(() => expect(document.activeElement).toBe(field))
    expect(field.selectionEnd - field.selectionStart).toBe(field.value.length)
    expect(scroll).toHaveBeenCalledTimes(1)
  })
})

describe('names of insights', () => {
  it('are those of the editor and the list', async () => {
    const unnamed = insight({ name: '', derived_name: 'Trends: All events' })
    await open({ tiles: [insightTile(1, '', { insight: unnamed })] })

    expect(await screen.findByRole('article', { name: 'Trends: All events' })).toBeTruthy()
    expect(screen.queryByText('Untitled insight')).toBeNull()
  })
})

describe('tiles', () => {
  it('do not repeat when they were computed', async () => {
    const tile = insightTile(1, 'Visits', { last_refresh: '2026-01-05T10:00:00.000Z' })
    await open({ tiles: [tile] })

    await screen.findByRole('article', { name: 'Visits' })
    expect(screen.queryByText(/^Computed/)).toBeNull()
  })
})

describe('edits of others', () => {
  const changedBy = (user: { first_name: string; email: string }, id: number) => ({
    [`GET ${PATH}`]: dashboard({
      name: `By ${user.first_name}`,
      tiles: [insightTile(1, 'Visits')],
    }),
    [`GET ${PATH}/activity`]: pageOf({
      id,
      user,
      activity: 'updated',
      scope: 'Dashboard',
      item_id: '1',
      detail: { name: '', changes: null, trigger: null, type: null, short_id: null },
      created_at: ME.date_joined,
    }),
  })

  it('are announced, but not the own ones of another tab', async () => {
    vi.useFakeTimers({ shouldAdvanceTime: true, toFake: ['setTimeout', 'clearTimeout'] })
    onTestFinished(() => void vi.useRealTimers())
    const { server } = await open({ tiles: [insightTile(1, 'Visits')] })
    await screen.findByRole('article', { name: 'Visits' })

    server.reply(changedBy(ME, 9))
    await vi.advanceTimersByTimeAsync(3100)
    await screen.findByRole('heading', { name: `By ${ME.first_name}` })
    server.reply(changedBy({ first_name: 'Nora', email: 'nora@example.com' }, 10))
    await vi.advanceTimersByTimeAsync(3100)

    // announcements come in the order of the edits
    await screen.findByText('Nora changed this dashboard.')
    expect(screen.queryByText(`${ME.first_name} changed this dashboard.`)).toBeNull()
  })
})

describe('a failed edit', () => {
  it('is not lost without asking when another page is opened', async () => {
    const { user, address } = await open({}, { ...LIST, [PATCH]: problem(500, 'Out of order.') })
    await user.click(await screen.findByRole('button', { name: 'Pin to top' }))
    await screen.findByText('Not saved: Out of order.')

    await user.click(screen.getByRole('link', { name: 'Dashboards' }))
    await screen.findByRole('dialog', { name: 'Discard unsaved changes?' })
    await user.click(screen.getByRole('button', { name: 'Cancel' }))
    expect(address()).toBe('/project/1/dashboards/1')
    await screen.findByText('Not saved: Out of order.')
    await user.click(screen.getByRole('link', { name: 'Dashboards' }))
    await user.click(await screen.findByRole('button', { name: 'Discard changes' }))

    await waitFor(() => expect(address()).toBe('/project/1/dashboards'))
  })

  it('is waited for when it is still being saved', async () => {
    let respond = (_: Response) => {}
    const { user, address } = await open(
      {},
      {
        ...LIST,
        [PATCH]: () =>
          new Promise((resolve) => {
            respond = resolve
          }),
      },
    )
    await user.click(await screen.findByRole('button', { name: 'Pin to top' }))
    await screen.findByText('Saving…')

    await user.click(screen.getByRole('link', { name: 'Dashboards' }))
    expect(address()).toBe('/project/1/dashboards/1')
    respond(Response.json(dashboard({ pinned: true })))

    await waitFor(() => expect(address()).toBe('/project/1/dashboards'))
    expect(screen.queryByRole('dialog')).toBeNull()
  })
})

describe('filters', () => {
  it('are removed by keyboard', async () => {
    const filters = [{ key: 'plan', operator: 'exact', value: ['pro'] }]
    const search = `?properties=${encodeURIComponent(JSON.stringify(filters))}`
    const { user, address } = await open({ tiles: [insightTile(1, 'Visits')] }, {}, search)
    const remove = await screen.findByRole('button', { name: 'Remove filter: plan is pro' })

    for (let presses = 0; document.activeElement !== remove && presses < 60; presses++) {
      await user.tab()
    }
    expect(document.activeElement).toBe(remove)
    await user.keyboard('{Enter}')

    await waitFor(() => expect(address()).toBe('/project/1/dashboards/1'))
  })

  it('suggest properties and values, and can be added by keyboard alone', async () => {
    const { user } = await open(
      { tiles: [insightTile(1, 'Visits')] },
      {
        'GET /api/projects/1/property_definitions': ({ query }: FakeRequest) =>
          query.get('type') === 'event' ? pageOf({ name: '$browser' }) : pageOf(),
        'GET /api/projects/1/property_values': {
          results: [{ value: 'Firefox' }, { value: 'Safari' }],
        },
      },
    )
    const add = await screen.findByRole('button', { name: 'Add filter' })

    add.focus()
    await user.keyboard('{Enter}')
    const property = await screen.findByRole('combobox', { name: 'Property' })
    await waitFor(() => expect(document.activeElement).toBe(property))
    await user.keyboard('brow')
    await screen.findByRole('option', { name: /browser/i })
    await user.keyboard('{ArrowDown}{Enter}')
    const values = await screen.findByRole('combobox', { name: 'Values' })
    await waitFor(() => expect(document.activeElement).toBe(values))
    await user.keyboard('Fire')
    await screen.findByRole('option', { name: 'Firefox' })
    await user.keyboard('{ArrowDown}{Enter}')
    expect(values.getAttribute('aria-expanded')).toBe('false')
    await user.keyboard('{Enter}')

    await screen.findByRole('button', { name: /^Remove filter: .*Firefox/ })
  })

  it('close one level at a time with Escape', async () => {
    const { user } = await open(
      { tiles: [insightTile(1, 'Visits')] },
      {
        'GET /api/projects/1/property_definitions': pageOf({ name: '$browser' }),
        'GET /api/projects/1/property_values': { results: [{ value: 'Firefox' }] },
      },
    )
    const add = await screen.findByRole('button', { name: 'Add filter' })
    await user.click(add)
    const property = await screen.findByRole('combobox', { name: 'Property' })
    await user.click(property)
    await waitFor(() => expect(property.getAttribute('aria-expanded')).toBe('true'))

    await user.keyboard('{Escape}')
    await waitFor(() => expect(property.getAttribute('aria-expanded')).toBe('false'))
    expect(screen.getByRole('button', { name: 'Apply filter' })).toBeTruthy()
    await user.keyboard('{Escape}')

    await waitFor(() => expect(screen.queryByRole('button', { name: 'Apply filter' })).toBeNull())
    await waitFor(() => expect(document.activeElement).toBe(add))
  })

  it('have a named dialog for dates', async () => {
    const { user } = await open({ tiles: [insightTile(1, 'Visits')] })

    await user.click(await screen.findByRole('button', { name: "Dates: Each tile's dates" }))

    expect(await screen.findByRole('dialog', { name: "Dates: Each tile's dates" })).toBeTruthy()
  })

  it('return to the URL when saving them as default is undone', async () => {
    const { user, address } = await open(
      { tiles: [insightTile(1, 'Visits')] },
      { [PATCH]: dashboard({ filters: { date_from: '-7d' }, tiles: [insightTile(1, 'Visits')] }) },
      '?date_from=-7d',
    )

    await user.click(await screen.findByRole('button', { name: 'Save as default' }))
    await waitFor(() => expect(address()).toBe('/project/1/dashboards/1'))
    await user.click(screen.getByRole('button', { name: 'Undo' }))

    await waitFor(() => expect(address()).toBe('/project/1/dashboards/1?date_from=-7d'))
    await screen.findByText('Undone: Saved the filters as default')
  })
})

describe('demo data', () => {
  const demo = {
    'GET /api/projects': pageOf({ ...PROJECT, is_demo: true }),
    'DELETE /api/projects/1/demo_data': null,
  }

  it('has a banner that can be closed', async () => {
    localStorage.removeItem('hedgerow-demo-banner-closed-1')
    onTestFinished(() => localStorage.removeItem('hedgerow-demo-banner-closed-1'))
    const { user } = await open({ tiles: [insightTile(1, 'Visits')] }, demo)
    const banner = (await screen.findByText('This project contains demo data.')).closest(
      '[role=alert]',
    ) as HTMLElement

    await user.click(within(banner).getByRole('button', { name: 'Close' }))

    expect(screen.queryByText('This project contains demo data.')).toBeNull()
  })

  it('is removed from the banner, after asking', async () => {
    const assign = vi.spyOn(location, 'assign').mockImplementation(() => undefined)
    onTestFinished(() => assign.mockRestore())
    const { user, server } = await open({ tiles: [insightTile(1, 'Visits')] }, demo)

    await screen.findByText('This project contains demo data.')
    await user.click(screen.getByRole('button', { name: 'Remove demo data' }))
    const dialog = await screen.findByRole('dialog', { name: 'Remove demo data?' })
    expect(server.bodiesOf('DELETE /api/projects/1/demo_data')).toHaveLength(0)
    await user.click([...dialog.querySelectorAll('button')].at(-1) as HTMLButtonElement)

    await waitFor(() => expect(assign).toHaveBeenCalledWith('/project/1/dashboards'))
    expect(server.bodiesOf('DELETE /api/projects/1/demo_data')).toHaveLength(1)
  })

  it('is not mentioned to members or without demo data', async () => {
    const organization = { ...ME.organization, membership_level: 1 }
    await open(
      { tiles: [insightTile(1, 'Visits')] },
      { ...demo, 'GET /api/users/@me': { ...ME, organization } },
    )

    await screen.findByRole('article', { name: 'Visits' })
    expect(screen.queryByText('This project contains demo data.')).toBeNull()
  })
})
