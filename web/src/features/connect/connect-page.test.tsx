import { act, screen, waitFor, within } from '@testing-library/react'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import type { ListedEvent } from '#server/features/events/events/schema.ts'
import { stubEventSource } from '../../test/event-source.ts'
import { ME, pageOf } from '../../test/fixtures.ts'
import { CONFIGS, PLUGINS, plugin } from '../../test/import-apps.ts'
import { openPage } from '../../test/render.tsx'
import { problem, type Routes } from '../../test/server.ts'

const EVENTS = 'GET /api/projects/1/events'
const QUERY = 'POST /api/projects/1/query'
const WAITING = 'Waiting for your first event…'
const HOSTILE = '<img src=x onerror="document.title=1">'

const event = (fields: Partial<ListedEvent> = {}): ListedEvent => ({
  id: '00000000-0000-4000-8000-000000000001',
  event: 'signed_up',
  distinct_id: 'ada',
  timestamp: new Date().toISOString(),
  properties: {},
  created_at: new Date().toISOString(),
  ...fields,
})

const listOf = (...results: ListedEvent[]) => ({ next: null, results })

const routes: Routes = {
  [EVENTS]: listOf(),
  [QUERY]: {
    results: [{ label: 'All events', data: [0, 1], days: ['a', 'b'], labels: ['a', 'b'] }],
  },
  [`GET ${PLUGINS}`]: pageOf(
    plugin({ id: 2, name: 'HTTP JSON', built_in: true }),
    plugin({ id: 3, name: 'CSV', built_in: true }),
  ),
  [`GET ${CONFIGS}`]: pageOf(),
}

const openConnect = (added: Routes = {}, at = '/project/1/connect') =>
  openPage(at, { ...routes, ...added })

describe('the first event', () => {
  it('turns the waiting into a chart the moment it arrives', async () => {
    const stream = stubEventSource()
    const { server } = await openConnect()
    await screen.findByText(WAITING)
    act(() => stream().onopen?.())
    expect(await screen.findByText('It appears here the moment it arrives.')).toBeTruthy()
    expect(server.bodiesOf(QUERY)).toEqual([])

    act(() => stream().send('event', event({ event: HOSTILE })))

    const status = within(screen.getByRole('status'))
    expect(await status.findByText('First event received')).toBeTruthy()
    expect(status.getByText(HOSTILE)).toBeTruthy()
    expect(status.getByText(/\d\d:\d\d:\d\d/)).toBeTruthy()
    expect(screen.queryByText(WAITING)).toBeNull()
    expect(document.querySelector('img[src=x]')).toBeNull()
    await waitFor(() => expect(server.bodiesOf(QUERY)).toHaveLength(1))
    expect(server.bodiesOf(QUERY)[0]).toMatchObject({
      query: { source: { interval: 'minute', dateRange: { date_from: '-1h' } } },
      refresh: 'blocking',
    })
  })

  it('stays the first one when others follow', async () => {
    const stream = stubEventSource()
    const { server } = await openConnect()
    await screen.findByText(WAITING)
    act(() => stream().send('event', event()))
    await screen.findByText('First event received')

    const later = { event: 'later', timestamp: new Date(Date.now() + 1000).toISOString() }
    act(() => stream().send('event', event({ id: event().id.replace(/.$/, '2'), ...later })))
    await waitFor(() => expect(server.bodiesOf(QUERY)).toHaveLength(2)) // both are shown

    expect(screen.getByText('signed_up')).toBeTruthy()
    expect(screen.queryByText('later')).toBeNull()
  })

  it('is found after the connection was lost', async () => {
    const stream = stubEventSource()
    const { server } = await openConnect()
    await screen.findByText(WAITING)
    act(() => stream().onerror?.())
    await screen.findByText('Connecting…')
    server.reply({ [EVENTS]: listOf(event()) })

    act(() => stream().onopen?.())

    expect(await screen.findByText('First event received')).toBeTruthy()
  })

  it('is found after an error response, which browsers do not try again', async () => {
    const stream = stubEventSource()
    const { server } = await openConnect()
    await screen.findByText(WAITING)
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
    onTestFinished(() => void vi.useRealTimers())
    act(() => stream().fail())
    expect(stream).toThrow('No stream is open.')

    act(() => void vi.runOnlyPendingTimers())
    vi.useRealTimers()
    server.reply({ [EVENTS]: listOf(event()) })
    act(() => stream().onopen?.())

    expect(await screen.findByText('First event received')).toBeTruthy()
  })

  it('is looked up when older events were imported', async () => {
    const stream = stubEventSource()
    const { server } = await openConnect()
    await screen.findByText(WAITING)
    server.reply({ [EVENTS]: listOf(event({ timestamp: '2024-01-01T00:00:00.000Z' })) })

    act(() => stream().send('changed', {}))

    expect(await screen.findByText('First event received')).toBeTruthy()
    await waitFor(() =>
      expect(server.bodiesOf(QUERY)[0]).toMatchObject({
        query: { source: { interval: 'week', dateRange: { date_from: 'all' } } },
      }),
    )
  })

  it('is no news in a project that has events', async () => {
    stubEventSource()
    await openConnect({ [EVENTS]: listOf(event()) })

    expect(await screen.findByText('Events are arriving')).toBeTruthy()
    expect(screen.queryByText('First event received')).toBeNull()
    for (const name of ['Create dashboard', 'See live events']) {
      expect(screen.getByRole('link', { name })).toBeTruthy()
    }
  })

  it('reports that events cannot be loaded', async () => {
    stubEventSource()
    const { user, server } = await openConnect({ [EVENTS]: problem(403, 'No access.') })
    await screen.findByText('No access.')
    server.reply({ [EVENTS]: listOf() })

    await user.click(screen.getByRole('button', { name: 'Try again' }))

    expect(await screen.findByText(WAITING)).toBeTruthy()
  })

  it('is no longer waited for on another page', async () => {
    const stream = stubEventSource()
    const { user } = await openConnect({
      'GET /api/projects/1/activity_log': pageOf(),
      'GET /api/projects/1/members': pageOf(),
    })
    await screen.findByText(WAITING)
    expect(stream().url).toBe('/api/projects/1/events/live')

    await user.click(screen.getByRole('link', { name: 'Activity' }))

    await waitFor(() => expect(stream).toThrow('No stream is open.'))
  })
})

describe('ways to connect', () => {
  it('shows the token and address of the project in every sample, and copies it', async () => {
    stubEventSource()
    const { user } = await openConnect()
    for (const name of [
      'HTML snippet',
      'posthog-js',
      'posthog-node',
      'Python',
      'curl',
      'Segment',
    ]) {
      await user.click(await screen.findByRole('tab', { name }))

      const code = (await screen.findByRole('region', { name: 'Send an event' })).textContent
      expect(code).toContain('phc_test')
      expect(code).toContain(location.origin)
      await user.click(screen.getAllByRole('button', { name: 'Copy' }).at(-1) as HTMLElement)
      expect(await navigator.clipboard.readText()).toBe(code)
      expect(screen.getByRole('button', { name: 'Copied' })).toBeTruthy()
    }
  })

  it('keeps the tab in the URL, and moves by arrow keys', async () => {
    stubEventSource()
    const { user, address } = await openConnect({}, '/project/1/connect?tab=python')
    const python = await screen.findByRole('tab', { name: 'Python', selected: true })

    act(() => python.focus())
    await user.keyboard('{ArrowRight}')

    await waitFor(() => expect(address()).toBe('/project/1/connect?tab=curl'))
    expect(screen.getByRole('tab', { name: 'curl', selected: true })).toBe(document.activeElement)
  })

  it('opens the first tab if the URL names none that exists', async () => {
    stubEventSource()
    await openConnect({}, '/project/1/connect?tab=cobol')

    expect(await screen.findByRole('tab', { name: 'HTML snippet', selected: true })).toBeTruthy()
  })

  it('adds the CSV app and opens its settings', async () => {
    stubEventSource()
    const { user, server, address } = await openConnect(
      { [`POST ${CONFIGS}`]: { id: 7 }, [`GET ${CONFIGS}/*`]: problem(404, 'Not found.') },
      '/project/1/connect?tab=csv',
    )

    await user.click(await screen.findByRole('button', { name: 'Import a CSV file' }))

    await waitFor(() => expect(address()).toBe('/project/1/apps/7'))
    expect(server.bodiesOf(`POST ${CONFIGS}`)).toMatchObject([{ plugin: 3 }])
  })

  it('offers members the installed apps, without what only admins can do', async () => {
    stubEventSource()
    const member = { ...ME, organization: { ...ME.organization, membership_level: 1 } }
    await openConnect({ 'GET /api/users/@me': member }, '/project/1/connect?tab=apps')

    expect(await screen.findByRole('button', { name: 'Add to project: HTTP JSON' })).toBeTruthy()
    expect(screen.getByRole('link', { name: 'app gallery' })).toBeTruthy()
    expect(screen.queryByRole('link', { name: 'Install app' })).toBeNull()
  })
})

describe('public data', () => {
  const hackerNews = plugin({ id: 9, name: 'Hacker News', built_in: true })
  const CREATED = `${CONFIGS}/7`
  const offering: Routes = {
    [`GET ${PLUGINS}`]: pageOf(hackerNews),
    [`POST ${CONFIGS}`]: { id: 7 },
    [`POST ${CREATED}/job`]: {},
    [`POST ${CREATED}/dashboard`]: { template: 'Hacker News', dashboard: 3 },
    'GET /api/environments/1/dashboards/*': problem(404, 'Not found.'),
  }

  it('becomes a dashboard by one button, with the word that was entered', async () => {
    stubEventSource()
    const { user, server, address } = await openConnect(offering)
    const form = within(await screen.findByRole('form', { name: 'Hacker News' }))
    const word = form.getByLabelText('Word or phrase')

    await user.clear(word)
    await user.click(form.getByRole('button', { name: 'Show dashboard' }))
    expect(await form.findByText('Enter a word.')).toBeTruthy()
    await user.type(word, ' hedgerow ')
    await user.click(form.getByRole('button', { name: 'Show dashboard' }))

    await waitFor(() => expect(address()).toBe('/project/1/dashboards/3'))
    expect(server.bodiesOf(`POST ${CONFIGS}`)).toEqual([
      { plugin: 9, enabled: true, config: { word: 'hedgerow' } },
    ])
    expect(server.bodiesOf(`POST ${CREATED}/job`)).toEqual([{}])
  })

  it('is not offered once there are events, nor without its app', async () => {
    stubEventSource()
    await openConnect({ ...offering, [EVENTS]: listOf(event()) })
    await screen.findByText('Events are arriving')

    expect(screen.queryByText('Start with public data')).toBeNull()
  })

  it('says what was refused', async () => {
    stubEventSource()
    const { user } = await openConnect({
      ...offering,
      [`POST ${CONFIGS}`]: problem(403, 'No access.'),
    })

    await user.click(await screen.findByRole('button', { name: 'Show dashboard' }))

    expect(await screen.findByText('No access.')).toBeTruthy()
  })
})

describe('the home of a project', () => {
  it('is the connect page as long as there are no events', async () => {
    stubEventSource()
    const { address, server } = await openConnect({}, '/')

    await waitFor(() => expect(address()).toBe('/project/1/connect'))
    expect(server.requests.find(({ path }) => path.endsWith('/events'))?.query.get('limit')).toBe(
      '1',
    )
  })

  it.each([
    ['that has events', listOf(event())],
    ['whose events cannot be listed', problem(403, 'No access.')],
  ])('is the dashboards of a project %s', async (_, events) => {
    const { address } = await openConnect(
      {
        [EVENTS]: events,
        'GET /api/environments/1/dashboards': pageOf(),
        'GET /api/environments/1/dashboards/tags': [],
      },
      '/',
    )

    await waitFor(() => expect(address()).toBe('/project/1/dashboards'))
  })
})
