import { screen, waitFor } from '@testing-library/react'
import { describe, expect, it } from 'vitest'
import { fill } from '../../test/fill.ts'
import { insight, pageOf } from '../../test/fixtures.ts'
import { openPage } from '../../test/render.tsx'
import { type FakeRequest, problem, type Routes } from '../../test/server.ts'

const NEW = '/project/1/insights/new'
const QUERY = 'POST /api/projects/1/query'

const RESULT = { results: [], is_cached: false, last_refresh: '2026-01-05T10:00:00.000Z' }

/** Every query has an empty result; only a formula that names series Z is refused. */
const ROUTES: Routes = {
  [QUERY]: ({ body }: FakeRequest) =>
    JSON.stringify(body).includes('/ Z')
      ? problem(400, 'There is no series Z.', 'query__source__trendsFilter__formula')
      : RESULT,
  'GET /api/projects/1/event_definitions': pageOf({ name: '$pageview' }, { name: 'signed_up' }),
  'GET /api/projects/1/property_definitions': pageOf(),
  'GET /api/environments/1/dashboards': pageOf(),
}

const open = (path = NEW, routes: Routes = {}) => openPage(path, { ...ROUTES, ...routes })

const encode = (value: unknown): string => Buffer.from(JSON.stringify(value)).toString('base64url')

const event = (series: string) =>
  screen.getByRole('combobox', { name: `Event of ${series}` }) as HTMLInputElement

describe('insight editor', () => {
  it.each([
    ['no query', '%%%'],
    ['another kind of query', encode({ kind: 'ActorsQuery' })],
    ['more than a URL holds', encode({ kind: 'HogQLQuery', query: 'x'.repeat(5000) })],
  ])('ignores a link with %s and shows a new insight', async (_, q) => {
    const { address } = await open(`${NEW}?q=${encodeURIComponent(q)}`)

    await screen.findByText('The query in this link is invalid')

    expect(event('series A').value).toBe('All events')
    await waitFor(() => expect(address()).toBe(NEW))
  })

  it.each([
    ['series that are not a list', { kind: 'TrendsQuery', series: 5 }],
    ['malformed filters', { kind: 'TrendsQuery', series: [], properties: [[['x']]] }],
    ['markup as steps', { kind: 'FunnelsQuery', series: '<img src=x onerror=x>' }],
  ])('shows why the server refuses %s in a link', async (_, query) => {
    const refusal = problem(400, 'Refused.', 'query__series')
    const { address } = await open(`${NEW}?q=${encode(query)}`, {
      [QUERY]: ({ body }: FakeRequest) =>
        JSON.stringify(body).includes('"dateRange"') ? RESULT : refusal,
    })

    await screen.findByText(/Refused\. Showing the insight without it\./)

    expect(event('series A').value).toBe('All events')
    expect(document.querySelector('img[src="x"]')).toBeNull()
    await waitFor(() => expect(address()).toBe(NEW))
  })

  it('shows an error at its field until the field is corrected', async () => {
    const { user } = await open()
    const formula = await screen.findByRole('textbox', { name: 'Formula' })

    await fill(user, formula, 'A / Z')

    await waitFor(() => expect(formula.getAttribute('aria-invalid')).toBe('true'))
    const error = document.getElementById(formula.getAttribute('aria-describedby') ?? '')
    expect(error?.textContent).toBe('There is no series Z.')
    await user.type(formula, '{Backspace}2')
    await waitFor(() => expect(screen.queryByText('There is no series Z.')).toBeNull())
  })

  it('shows an error of SQL once, at the query', async () => {
    const refused = 'There is no column "nonsense".'
    const query = { kind: 'HogQLQuery', query: 'select nonsense from events' }
    await open('/project/1/insights/abc123', {
      'GET /api/environments/1/insights/abc123': insight({ query }),
      [QUERY]: problem(400, refused, 'query__query'),
    })

    expect((await screen.findByRole('alert')).textContent).toBe(refused)
    expect(screen.getAllByText(refused)).toHaveLength(1)
    expect(screen.queryByText('Something went wrong')).toBeNull()
  })

  it('says that a query cannot run if no field explains it, without a retry', async () => {
    const refused = 'Too many intervals. Choose a shorter date range or a longer interval.'
    await open(NEW, { [QUERY]: problem(400, refused, 'query__dateRange') })

    const alert = await screen.findByRole('alert')
    expect(alert.textContent).toBe(`This query cannot run${refused}`)
    expect(screen.queryByRole('button', { name: 'Try again' })).toBeNull()
  })

  it('offers the API call below the exports, as a terminal', async () => {
    const { user } = await open('/project/1/insights/abc123', {
      'GET /api/environments/1/insights/abc123': insight(),
    })

    await user.click(await screen.findByRole('button', { name: 'More actions' }))

    const curl = await screen.findByRole('menuitem', { name: 'Copy as curl' })
    expect(curl.querySelector('.tabler-icon-terminal-2')).toBeTruthy()
    const names = screen.getAllByRole('menuitem').map(({ textContent }) => textContent)
    expect(names.indexOf('Copy as curl')).toBeGreaterThan(names.indexOf('JSON'))
  })

  it('asks before edits are lost', async () => {
    const { user, address } = await open(NEW, { 'GET /api/environments/1/insights*': pageOf() })
    await fill(user, await screen.findByRole('textbox', { name: 'Name' }), 'Half done')

    await user.click(screen.getByRole('link', { name: 'Insights' }))
    await user.click(await screen.findByRole('button', { name: 'Cancel' }))
    expect(address()).toBe(NEW)
    await user.click(screen.getByRole('link', { name: 'Insights' }))
    await user.click(await screen.findByRole('button', { name: 'Leave' }))

    await waitFor(() => expect(address()).toBe('/project/1/insights'))
  })

  it('keeps unsaved queries in the URL, and clears it when they are discarded or saved', async () => {
    const saved = insight({
      query: { kind: 'TrendsQuery', series: [{ kind: 'EventsNode', event: '$pageview' }] },
    })
    const PATCH = 'PATCH /api/environments/1/insights/abc123'
    const { user, server, address } = await open('/project/1/insights/abc123', {
      'GET /api/environments/1/insights/abc123': saved,
      [PATCH]: ({ body }: FakeRequest) => ({ ...saved, ...(body as object) }),
    })
    const hasQuery = () => address().includes('?q=')
    const choose = async (name: string) => {
      await user.click(event('series A'))
      await user.click(await screen.findByRole('option', { name }))
    }
    await waitFor(() => expect(event('series A').value).toBe('Page view'))

    await choose('signed_up')
    await waitFor(() => expect(hasQuery()).toBe(true))
    await user.click(screen.getByRole('button', { name: 'Discard' }))
    await waitFor(() => expect(hasQuery()).toBe(false))
    expect(event('series A').value).toBe('Page view')
    await choose('signed_up')
    await waitFor(() => expect(hasQuery()).toBe(true))
    await user.click(screen.getByRole('button', { name: 'Save' }))

    await screen.findByText('Saved.')
    await waitFor(() => expect(hasQuery()).toBe(false))
    expect(event('series A').value).toBe('signed_up')
    expect(server.bodiesOf(PATCH)).toHaveLength(1)
  })
})
