import { fireEvent, screen, waitFor, within } from '@testing-library/react'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { CAN_VIEW } from '#model/levels.ts'
import type { Dashboard } from '#server/features/dashboards/dashboards/schema.ts'
import { fill } from '../../test/fill.ts'
import { dashboard, dashboardItem, insightTile, pageOf } from '../../test/fixtures.ts'
import { openPage } from '../../test/render.tsx'
import { type FakeRequest, problem, type Routes } from '../../test/server.ts'

const PATH = '/api/environments/1/dashboards/1'
const PATCH = `PATCH ${PATH}`

/** Creates a server that stores one dashboard and applies patches to its fields and tiles. */
function serve(initial: Dashboard): Routes {
  let saved = initial
  return {
    [`GET ${PATH}`]: () => saved,
    [`GET ${PATH}/activity`]: pageOf(),
    [PATCH]: ({ body }: FakeRequest) => {
      const { tiles = [], ...fields } = body as { tiles?: { id?: number; deleted?: boolean }[] }
      saved = {
        ...saved,
        ...fields,
        tiles: saved.tiles.flatMap((tile) => {
          const change = tiles.find(({ id }) => id === tile.id)
          return change?.deleted ? [] : [{ ...tile, ...change }]
        }),
      }
      return saved
    },
  }
}

const open = (fields: Partial<Dashboard>, { search = '', routes = {} as Routes } = {}) =>
  openPage(`/project/1/dashboards/1${search}`, { ...serve(dashboard(fields)), ...routes })

const VISITS = { tiles: [insightTile(1, 'Visits')] }

describe('dashboard page', () => {
  it('explains why a user can only view, and offers no edits', async () => {
    const { user } = await open({ ...VISITS, effective_privilege_level: CAN_VIEW })

    await screen.findByText(/You can view this dashboard. Only invited people can edit it./)
    expect(screen.getByText(/Ask Olive or an admin for access./)).toBeTruthy()
    expect(screen.queryByRole('button', { name: 'Add tile' })).toBeNull()
    await user.click(await screen.findByRole('button', { name: 'Actions for Visits' }))
    await screen.findByRole('menuitem', { name: 'Refresh' })
    expect(screen.queryByRole('menuitem', { name: 'Remove' })).toBeNull()
  })

  it('shows on a tile which filters do not apply', async () => {
    await open({
      tiles: [insightTile(1, 'Visits', { filters_not_applied: ['date_from', 'date_to'] })],
    })

    await screen.findByText('Dashboard dates not applied')
  })

  it('filters by a property of persons, and keeps it in the URL', async () => {
    const { user, server, address } = await open(VISITS, {
      routes: {
        'GET /api/projects/1/property_definitions': ({ query }: FakeRequest) =>
          query.get('type') === 'person' ? pageOf({ name: 'plan' }) : pageOf(),
        'GET /api/projects/1/property_values': { results: [] },
      },
    })

    await user.click(await screen.findByRole('button', { name: 'Add filter' }))
    await user.click(await screen.findByRole('combobox', { name: 'Property' }))
    await user.click(await screen.findByRole('option', { name: 'plan' }))
    await fill(user, screen.getByRole('combobox', { name: 'Values' }), 'pro')
    await user.click(screen.getByRole('button', { name: 'Apply filter' }))

    await screen.findByText('person plan is pro')
    const plan = { key: 'plan', type: 'person', operator: 'exact', value: ['pro'] }
    await waitFor(() => {
      const sent = server.requests.flatMap(({ query }) => query.get('filters_override') ?? [])
      expect(sent.map((text) => JSON.parse(text))).toContainEqual({ properties: [plan] })
    })
    expect(decodeURIComponent(address())).toContain('"type":"person"')
  })

  it('keeps the chart of before while a filter is being applied', async () => {
    const size = vi.spyOn(Element.prototype, 'getBoundingClientRect')
    size.mockReturnValue(new DOMRect(0, 0, 300, 200)) // charts wait until they are visible
    onTestFinished(() => size.mockRestore())
    const tile = insightTile(1, 'Visits')
    const toTile = (more: object) => ({ ...tile, insight: { ...tile.insight, ...more } })
    const action = { name: 'visit', custom_name: null, order: 0 }
    const before = toTile({
      result: [{ label: 'visit', aggregated_value: 4321, count: 4321, data: [], days: [], action }],
    })
    const computing = toTile({ result: null, query_status: { complete: false } })
    const { user } = await open(
      {},
      {
        routes: {
          [`GET ${PATH}`]: ({ query }: FakeRequest) =>
            dashboard({ tiles: [query.get('filters_override') ? computing : before] as never }),
        },
      },
    )
    await screen.findByText('4,321')

    await user.click(await screen.findByRole('button', { name: "Dates: Each tile's dates" }))
    await user.click(await screen.findByText('Last 14 days'))

    await screen.findByRole('status', { name: 'Computing' })
    expect(screen.getByText('4,321').closest('[aria-busy]')).toBeTruthy()
  })

  it('keeps the types of saved filters when one of them is removed', async () => {
    const cohort = { key: 'id', type: 'cohort', value: 3, operator: 'in', cohort_name: 'Paying' }
    const saved = { properties: [{ key: 'a', operator: 'is_set' }, cohort] }
    const { user, server } = await open({ ...VISITS, filters: saved })

    await screen.findByText('in cohort Paying')
    await user.click(screen.getByRole('button', { name: 'Remove filter: a is set' }))

    await waitFor(() =>
      expect(server.bodiesOf(PATCH)).toEqual([{ filters: { properties: [cohort] } }]),
    )
  })

  it('is read-only in the trash until it is restored', async () => {
    const { user, server } = await open({ ...VISITS, deleted: true })

    await screen.findByText(/This dashboard is in the trash./)
    expect(screen.queryByRole('button', { name: 'Add tile' })).toBeNull()
    await user.click(screen.getByRole('button', { name: 'Restore' }))

    await screen.findByRole('button', { name: 'Add tile' })
    expect(server.bodiesOf(PATCH)).toEqual([{ deleted: false }])
  })

  it('shows only the tiles in TV mode, until the user exits', async () => {
    const { user, address } = await open({ name: 'Wall', ...VISITS }, { search: '?kiosk' })

    await screen.findByRole('article', { name: 'Visits' })
    expect(screen.queryByRole('navigation')).toBeNull()
    expect(screen.queryByRole('button', { name: 'Add tile' })).toBeNull()
    await user.click(screen.getByRole('button', { name: 'Exit' }))

    await screen.findByRole('button', { name: 'Share' })
    expect(address()).toBe('/project/1/dashboards/1')
  })

  it('recomputes at the interval in the URL', async () => {
    vi.useFakeTimers({ shouldAdvanceTime: true, toFake: ['setInterval', 'clearInterval'] })
    try {
      const { server } = await open(VISITS, { search: '?kiosk&refresh=60' })
      await screen.findByRole('article', { name: 'Visits' })
      const isForced = () =>
        server.requests.some(({ query }) => query.get('refresh') === 'force_async')
      expect(isForced()).toBe(false)

      vi.advanceTimersByTime(61_000)

      await waitFor(() => expect(isForced()).toBe(true))
    } finally {
      vi.useRealTimers()
    }
  })

  it('shows that a dashboard does not exist', async () => {
    await openPage('/project/1/dashboards/12345', {
      'GET /api/environments/1/dashboards/12345*': problem(404, 'Not found.'),
    })

    await screen.findByText('Page not found')
  })

  it('explains an empty dashboard to users who can only view', async () => {
    await open({ effective_privilege_level: CAN_VIEW })

    await screen.findByRole('heading', { name: 'This dashboard is empty' })
    expect(screen.queryByRole('button', { name: 'Add your first tile' })).toBeNull()
  })
})

describe('editing a dashboard', () => {
  it('shows a failed save, warns before leaving, and retries', async () => {
    const { user, server } = await open({}, { routes: { [PATCH]: problem(500, 'Out of order.') } })
    const isLeavingBlocked = () =>
      !fireEvent(window, new Event('beforeunload', { cancelable: true }))

    await user.click(await screen.findByRole('button', { name: 'Pin to top' }))
    await screen.findByText('Not saved: Out of order.')
    expect(isLeavingBlocked()).toBe(true)
    server.reply(serve(dashboard()))
    await user.click(screen.getByRole('button', { name: 'Retry' }))

    await screen.findByText(/^Saved/)
    expect(screen.getByRole('button', { name: 'Unpin' })).toBeTruthy()
    expect(isLeavingBlocked()).toBe(false)
    expect(server.bodiesOf(PATCH)).toEqual([{ pinned: true }, { pinned: true }])
  })

  it('takes keys that are pressed right after a click on its name', async () => {
    const { user, server } = await open({ name: 'Before', ...VISITS })

    await user.click(await screen.findByRole('button', { name: 'Before' }))
    await user.keyboard('After{Enter}')

    await screen.findByRole('heading', { name: 'After' })
    await waitFor(() => expect(server.bodiesOf(PATCH)).toEqual([{ name: 'After' }]))
  })

  it('undoes and redoes by button and by keyboard', async () => {
    const { user, server } = await open({ name: 'Before', ...VISITS })

    await user.click(await screen.findByRole('button', { name: 'Before' }))
    const field = await screen.findByLabelText('Dashboard name')
    await user.clear(field)
    await user.type(field, 'After{Enter}')
    await screen.findByRole('heading', { name: 'After' })
    await user.click(screen.getByRole('button', { name: 'Undo' }))
    await screen.findByRole('heading', { name: 'Before' })
    await user.keyboard('{Control>}{Shift>}z{/Shift}{/Control}')

    await screen.findByRole('heading', { name: 'After' })
    await waitFor(() =>
      expect(server.bodiesOf(PATCH)).toEqual([
        { name: 'After' },
        { name: 'Before' },
        { name: 'After' },
      ]),
    )
  })

  it('moves a tile from its menu and announces the position', async () => {
    const { user, server } = await open(VISITS)

    const press = async (name: string, key: string) => {
      ;(await screen.findByRole('menuitem', { name })).focus()
      await user.keyboard(key)
    }
    await user.click(await screen.findByRole('button', { name: 'Actions for Visits' }))
    await press('Move and resize', '{ArrowRight}')
    await press('Move right', '{Enter}')
    await press('Make wider', '{Enter}')

    await screen.findByText('Visits: column 2, row 1, 5 columns wide, 3 rows high.')
    // one request or two: moves are merged if they follow each other quickly
    await waitFor(() =>
      expect(server.bodiesOf(PATCH).at(-1)).toEqual({
        tiles: [{ id: 1, layouts: { sm: { x: 1, y: 0, w: 5, h: 3 } } }],
      }),
    )
  })

  it('moves a tile to another dashboard before removing it here', async () => {
    const other = dashboardItem({ id: 2, name: 'Elsewhere' })
    const locked = dashboardItem({ id: 3, name: 'Locked', effective_privilege_level: CAN_VIEW })
    const { user, server } = await open(VISITS, {
      routes: {
        'GET /api/environments/1/dashboards': pageOf(dashboardItem(), other, locked),
        'GET /api/environments/1/dashboards/2': dashboard({
          id: 2,
          tiles: [insightTile(40, 'Old')],
        }),
        'PATCH /api/environments/1/dashboards/2': dashboard({
          id: 2,
          tiles: [insightTile(50, 'Visits')],
        }),
      },
    })

    await user.click(await screen.findByRole('button', { name: 'Actions for Visits' }))
    await user.click(await screen.findByRole('menuitem', { name: 'Move to dashboard…' }))
    const dialog = within(await screen.findByRole('dialog', { name: 'Move “Visits” to' }))
    await user.click(await dialog.findByRole('button', { name: 'Elsewhere' }))

    await screen.findByText('Moved to “Elsewhere”.')
    expect(dialog.queryByRole('button', { name: 'Locked' })).toBeNull()
    await waitFor(() => expect(screen.queryByRole('article', { name: 'Visits' })).toBeNull())
    expect(server.bodiesOf('PATCH /api/environments/1/dashboards/2')).toEqual([
      {
        tiles: [
          {
            ...{ color: null, insight: { id: 100 }, show_description: null },
            ...{ filters_overrides: {}, section: null },
            layouts: { sm: { x: 0, y: 3, w: 4, h: 3 } },
          },
        ],
      },
    ])
    await waitFor(() =>
      expect(server.bodiesOf(PATCH)).toEqual([{ tiles: [{ id: 1, deleted: true }] }]),
    )
  })

  it('overwrites only the own field when the user keeps their edit of a changed dashboard', async () => {
    const { user, server } = await open(
      { name: 'Ours' },
      { routes: { [PATCH]: problem(409, 'Changed.') } },
    )

    await user.click(await screen.findByRole('button', { name: 'Ours' }))
    const field = await screen.findByLabelText('Dashboard name')
    await user.clear(field)
    await user.type(field, 'Mine{Enter}')
    const dialog = within(
      await screen.findByRole('dialog', { name: 'Someone else changed this dashboard' }),
    )
    expect(dialog.getByText('Renamed the dashboard')).toBeTruthy()
    server.reply(serve(dashboard({ name: 'Theirs', description: 'By them' })))
    await user.click(dialog.getByRole('button', { name: 'Keep mine' }))

    await screen.findByRole('heading', { name: 'Mine' })
    await screen.findByText('By them')
    await waitFor(() =>
      expect(server.bodiesOf(PATCH)).toEqual([{ name: 'Mine' }, { name: 'Mine' }]),
    )
  })

  it('saves the dashboard as a template, and reports a taken name at its field', async () => {
    const CREATE = 'POST /api/projects/1/dashboard_templates'
    const { user, server } = await open(
      { name: 'Weekly' },
      { routes: { [CREATE]: problem(400, 'This name is taken.', 'template_name') } },
    )

    await user.click(await screen.findByRole('button', { name: 'More actions' }))
    await user.click(await screen.findByRole('menuitem', { name: 'Save as template' }))
    const dialog = within(await screen.findByRole('dialog', { name: 'Save as template' }))
    await user.click(dialog.getByRole('button', { name: 'Create template' }))
    await dialog.findByText('This name is taken.')
    server.reply({ [CREATE]: {} })
    await user.type(dialog.getByLabelText(/Template name/), ' 2')
    await user.click(dialog.getByRole('button', { name: 'Create template' }))

    await screen.findByText('“Weekly 2” was saved as a template.')
    expect(server.bodiesOf(CREATE).at(-1)).toEqual({ template_name: 'Weekly 2', from_dashboard: 1 })
  })
})
