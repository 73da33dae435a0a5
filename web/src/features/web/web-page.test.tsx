import { screen, waitFor, within } from '@testing-library/react'
import { describe, expect, it } from 'vitest'
import { fieldsOf } from '#model/json.ts'
import { pageOf } from '../../test/fixtures.ts'
import { openPage } from '../../test/render.tsx'
import type { FakeRequest, Routes } from '../../test/server.ts'

const figure = (key: string, value: number | null, previous: number | null = null) => ({
  ...{ key, kind: 'unit', value, previous, changeFromPreviousPct: null },
})

const ROWS: Readonly<Record<string, readonly unknown[]>> = {
  Page: [
    ['/docs', [8, 4], [20, 10]],
    [null, [2, null], [2, null]],
  ],
  InitialChannelType: [['Direct', [9, null], [9, null]]],
  Country: [['DE', [3, 3], [3, 3]]],
  DeviceType: [],
}

const RESULTS: Readonly<Record<string, (query: Record<string, unknown>) => object>> = {
  HogQLQuery: () => ({ results: [[1]] }),
  WebOverviewQuery: () => ({
    results: [figure('visitors', 10, 5), figure('views', 22), figure('sessions', 12)],
  }),
  WebStatsTableQuery: ({ breakdownBy, limit }) => ({
    columns: [
      'context.columns.breakdown_value',
      'context.columns.visitors',
      'context.columns.views',
    ],
    results: ROWS[String(breakdownBy)] ?? [],
    hasMore: breakdownBy === 'Page' && limit === 10,
  }),
  WebGoalsQuery: () => ({ columns: [], results: [['paid', [5, 4], [7, 6], [0.5, 0.4]]] }),
  TrendsQuery: () => ({ results: [] }),
}

const respond = ({ body }: FakeRequest) => {
  const query = fieldsOf(fieldsOf(body).query)
  return RESULTS[String(query.kind)]?.(query)
}

const open = (query = '', more: Routes = {}) =>
  openPage(`/project/1/web${query}`, { 'POST /api/projects/1/query': respond, ...more })

const card = (name: string) => screen.findByRole('region', { name })
const rowsOf = async (name: string) =>
  (await within(await card(name)).findAllByRole('row')).map(({ textContent }) => textContent)

describe('page of web analytics', () => {
  it('shows figures, breakdowns, goals and who is online', async () => {
    await open()

    expect(await rowsOf('Pages')).toEqual(['PageVisitorsViews', '/docs+100% 8 20', '(none) 2 2'])
    expect(await rowsOf('Sources')).toEqual(['ChannelVisitorsViews', 'Direct 9 9'])
    expect(await rowsOf('Places')).toEqual(['CountryVisitorsViews', 'Germany 3 3'])
    expect(await rowsOf('Goals')).toEqual(['GoalPeopleConversion', 'paid+25% 5 50%'])
    expect(within(await card('Devices')).getByText('No visits in these dates.')).toBeTruthy()
    expect(await screen.findByText('1 visitor online')).toBeTruthy()
    expect(
      screen.getByRole('button', { name: /^Visitors 10 up 100% vs 5 previously/ }),
    ).toBeTruthy()
  })

  it('counts the chosen goals, keeps them in the URL and remembers them', async () => {
    const routes: Routes = {
      'GET /api/projects/1/event_definitions': pageOf({ name: 'signed up' }),
      'GET /api/projects/1/actions': pageOf({ id: 7, name: 'Bought', description: '' }),
    }
    const { user, server, address } = await open('', routes)
    const asked = () =>
      server.requests
        .map(({ body }) => fieldsOf(fieldsOf(body).query))
        .findLast(({ kind }) => kind === 'WebGoalsQuery')
    expect(await rowsOf('Goals')).toHaveLength(2)
    expect(asked()).toMatchObject({ limit: 10 })

    await user.click(within(await card('Goals')).getByRole('button', { name: 'Choose goals' }))
    const dialog = within(await screen.findByRole('dialog', { name: 'Choose goals' }))
    for (const [goal, name] of ['signed up', 'Bought'].entries()) {
      await user.click(dialog.getByRole('button', { name: 'Add goal' }))
      await user.click(dialog.getByRole('combobox', { name: `Goal ${goal + 1}` }))
      await user.click(await screen.findByRole('option', { name }))
    }
    await user.click(dialog.getByRole('button', { name: 'Save goals' }))

    await waitFor(() =>
      expect(asked()?.goals).toEqual([
        { kind: 'EventsNode', event: 'signed up', name: 'signed up' },
        { kind: 'ActionsNode', id: 7, name: 'Bought' },
      ]),
    )
    expect(asked()).not.toHaveProperty('limit')
    expect(decodeURIComponent(address())).toContain(
      'goals=[{"event":"signed+up"},{"action":7,"name":"Bought"}]',
    )
    expect(localStorage.getItem('hedgerow-web-goals-1')).toContain('Bought')
  })

  it('adds a filter for a clicked row, and removes it by a second click', async () => {
    const { user, server, address } = await open()
    const pages = () => within(screen.getByRole('region', { name: 'Pages' }))
    const lastFilters = () =>
      server.requests
        .map(({ body }) => fieldsOf(fieldsOf(body).query))
        .findLast(({ kind }) => kind === 'WebOverviewQuery')?.properties

    await user.click(await within(await card('Pages')).findByRole('button', { name: '/docs' }))
    await waitFor(() =>
      expect(lastFilters()).toEqual([
        { type: 'event', key: '$pathname', operator: 'exact', value: ['/docs'] },
      ]),
    )
    expect(pages().getByRole('button', { name: '/docs', pressed: true })).toBeTruthy()
    await user.click(pages().getByRole('button', { name: '(none)' }))
    await waitFor(() =>
      expect(lastFilters()).toContainEqual(
        expect.objectContaining({ key: '$pathname', operator: 'is_not_set' }),
      ),
    )
    await user.click(pages().getByRole('button', { name: '(none)' }))
    await user.click(pages().getByRole('button', { name: '/docs' }))

    await waitFor(() => expect(address()).toBe('/project/1/web'))
  })

  it('keeps dates, comparison, figure and breakdowns in the URL', async () => {
    const { user, server, address } = await open('?date_from=-30d&places=City&sources=nonsense')
    await user.click(await screen.findByRole('button', { name: /^Page views/ }))
    await user.click(screen.getByRole('checkbox', { name: 'Compare with the previous period' }))

    await waitFor(() =>
      expect(address()).toBe(
        '/project/1/web?date_from=-30d&places=City&figure=views&compare=false',
      ),
    )
    await waitFor(() =>
      expect(server.bodiesOf('POST /api/projects/1/query').at(-1)).toMatchObject({
        query: { dateRange: { date_from: '-30d' }, compareFilter: { compare: false } },
      }),
    )
    const kinds = server
      .bodiesOf('POST /api/projects/1/query')
      .map((body) => fieldsOf(fieldsOf(body).query).breakdownBy)
    expect(new Set(kinds)).toEqual(
      new Set([undefined, 'InitialChannelType', 'Page', 'City', 'DeviceType']),
    )
  })

  it('shows more rows on request', async () => {
    const { user, server } = await open()

    await user.click(await screen.findByRole('button', { name: 'Show more' }))

    await waitFor(() =>
      expect(server.bodiesOf('POST /api/projects/1/query')).toContainEqual({
        query: expect.objectContaining({ breakdownBy: 'Page', limit: 100 }),
      }),
    )
  })

  it.each([
    ['', 'No page views in these dates', 'Connect your data'],
    ['?properties=[{"key":"$os","value":["x"]}]', 'No visits found', 'Clear filters'],
  ])('says what to do without visits at %j', async (query, title, action) => {
    const nothing = { results: [figure('visitors', 0), figure('bounce rate', null)] }
    await open(query, {
      'POST /api/projects/1/query': (request: FakeRequest) =>
        fieldsOf(fieldsOf(request.body).query).kind === 'HogQLQuery' ? { results: [[0]] } : nothing,
    })

    expect(await screen.findByRole('heading', { name: title })).toBeTruthy()
    expect(screen.getAllByText(action).length).toBeGreaterThan(0)
  })

  it('creates a dashboard of what it shows', async () => {
    const { user, server } = await open(
      '?date_from=-14d&properties=[{"key":"$os","value":["Linux"]}]',
      {
        'POST /api/environments/1/dashboards/create_from_template_json': { id: 7 },
        'GET /api/environments/1/dashboards/7*': {},
        'GET /api/projects/1/import_health*': {},
      },
    )

    await user.click(await screen.findByRole('button', { name: 'Save as dashboard' }))

    const path = 'POST /api/environments/1/dashboards/create_from_template_json'
    await waitFor(() => expect(server.bodiesOf(path)).toHaveLength(1))
    expect(server.bodiesOf(path)[0]).toMatchObject({
      template: {
        dashboard_filters: {
          date_from: '-14d',
          properties: [{ key: '$os', value: ['Linux'], operator: 'exact' }],
        },
        tiles: [
          { name: 'Headline figures', layouts: { sm: { x: 0, y: 0 } } },
          { name: 'Visitors', layouts: { sm: { x: 4, y: 0 } } },
          { name: 'By channel' },
          { name: 'By page' },
          { name: 'By country' },
          { name: 'By device' },
          { name: 'Goals' },
        ],
      },
    })
  })
})
