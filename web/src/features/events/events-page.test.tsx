import { act, cleanup, screen, waitFor, within } from '@testing-library/react'
import { describe, expect, it, onTestFinished } from 'vitest'
import type { ListedEvent } from '#server/features/events/events/schema.ts'
import { decodeObject } from '../../api/address-text.ts'
import { stubEventSource } from '../../test/event-source.ts'
import { pageOf } from '../../test/fixtures.ts'
import { person } from '../../test/persons.ts'
import { openPage } from '../../test/render.tsx'

const EVENTS = 'GET /api/projects/1/events'
const DEFINITIONS = 'GET /api/projects/1/event_definitions'
const PROPERTIES = 'GET /api/projects/1/property_definitions'
const VALUES = 'GET /api/projects/1/property_values'
const HOSTILE = '<img src=x onerror="document.title=1"><b>bold</b>'

const NAMES: Readonly<Record<string, string>> = {
  event: 'amount',
  person: 'plan',
  session: '$channel_type',
}

const BATCH = 'POST /api/projects/1/persons/batch_by_distinct_ids'
const ANONYMOUS = { name: 'visitor', distinct_ids: ['visitor'], is_identified: false }

let nextId = 0

const event = (name: string, fields: Partial<ListedEvent> = {}): ListedEvent => {
  nextId += 1
  return {
    id: `00000000-0000-4000-8000-${`${nextId}`.padStart(12, '0')}`,
    event: name,
    distinct_id: 'ada',
    timestamp: '2026-01-05T10:00:00.000Z',
    properties: {},
    created_at: '2026-01-05T10:00:00.000Z',
    ...fields,
  }
}

const by = (distinct_id: string) => event('seen', { distinct_id })

const routes = {
  [PROPERTIES]: ({ query }: { query: URLSearchParams }) =>
    pageOf({ name: NAMES[query.get('type') ?? ''] }),
  [VALUES]: { results: [] },
  [DEFINITIONS]: ({ query }: { query: URLSearchParams }) =>
    pageOf(
      ...['one', 'two']
        .filter((name) => name.includes(query.get('search') ?? ''))
        .map((name) => ({ name })),
    ),
}

const listOf = (...results: ListedEvent[]) => ({ next: null, results })
const rowsOf = () => within(screen.getByRole('table')).getAllByRole('row').slice(1)

describe('events page', () => {
  it('shows the ends of long IDs, in which those of visitors differ', async () => {
    stubEventSource()
    const ids = ['1', '2'].map((end) => `7a3d24b8-f6f1-8fff-9001-00000000000${end}`)
    await openPage('/project/1/events', {
      ...routes,
      [EVENTS]: listOf(...ids.map((distinct_id) => event('one', { distinct_id }))),
    })
    await screen.findAllByText('one')

    const links = rowsOf().map((row) => within(row).getByRole('link').textContent)
    expect(links.toSorted()).toEqual(['Visitor 000001', 'Visitor 000002'])
  })

  it('names persons, listed and live, with one request for a page', async () => {
    const stream = stubEventSource()
    const ada = person(1, { distinct_ids: ['ada', 'phone'] })
    const { server } = await openPage('/project/1/events', {
      ...routes,
      [EVENTS]: listOf(...['ada', 'phone', 'ada', 'visitor', 'constructor'].map(by)),
      [BATCH]: { results: { ada, phone: ada, visitor: person(2, { ...ANONYMOUS }) } },
    })

    await screen.findAllByText('ada@example.com')
    const names = rowsOf().map((row) => within(row).getByRole('link').textContent)
    expect(names.toSorted()).toEqual([
      ...Array(3).fill('ada@example.com'),
      'constructor',
      'visitor',
    ])
    expect(screen.getAllByTitle(/phone/)[0]?.getAttribute('title')).toBe('ada@example.com\nphone')
    server.reply({ [BATCH]: { results: { bob: person(3, { name: 'Bob' }) } } })
    act(() => stream().send('event', by('bob')))

    expect((await screen.findAllByText('Bob')).length).toBeGreaterThan(0)
    expect(server.bodiesOf(BATCH)).toEqual([
      { distinct_ids: expect.toSatisfy((ids: string[]) => ids.length === 4) },
      { distinct_ids: ['bob'] },
    ])
  })

  it('highlights an event that arrives, but not one that was listed before', async () => {
    const stream = stubEventSource()
    const listed = event('listed')
    await openPage('/project/1/events', { ...routes, [EVENTS]: listOf(listed) })
    await screen.findByRole('table')

    act(() => {
      stream().send('event', listed)
      stream().send('event', event('new'))
    })

    await within(screen.getByRole('table')).findByRole('button', { name: 'new' })
    const highlighted = rowsOf().map((row) => /arrived/.test(row.className))
    expect(highlighted.toSorted()).toEqual([false, true])
  })

  it('shows known names in words, and stored names beside them', async () => {
    stubEventSource()
    const properties = { $browser: 'Firefox', $referring_domain: '$direct', plan: 'pro' }
    const { user } = await openPage('/project/1/events', {
      ...routes,
      [PROPERTIES]: pageOf({ name: 'plan', description: 'What the customer pays for.' }),
      [EVENTS]: listOf(event('$pageview', { properties })),
    })

    const [name] = await screen.findAllByText('Page view')
    expect(name?.title).toBe('$pageview')
    expect(rowsOf()[0]?.textContent).toContain('Browser Firefox')
    await user.click(name as HTMLElement)

    const drawer = within(await screen.findByRole('dialog', { name: 'Page view $pageview' }))
    const cells = drawer.getAllByRole('row').map((row) => row.textContent)
    expect(cells.slice(1)).toEqual([
      'Browser$browserFirefox',
      'planpro',
      'Referring domain$referring_domainDirect$direct',
    ])
    expect(drawer.getByText('A page was opened.')).toBeTruthy()
    expect(drawer.getByText('Browser').title).toBe('Name of the browser.')
    expect(drawer.getByText('plan').title).toBe('What the customer pays for.')
  })

  it('previews what differs between events, not the campaign that led to the visit', async () => {
    stubEventSource()
    const campaign = { utm_source: 'x', utm_medium: 'y', utm_campaign: 'z' }
    const seen = event('seen', { properties: { ...campaign, $pathname: '/pricing', plan: 'pro' } })
    await openPage('/project/1/events', { ...routes, [EVENTS]: listOf(seen) })
    await screen.findByRole('table')

    const [row] = rowsOf()
    expect(row?.lastElementChild?.textContent).toBe('plan proPath /pricing')
  })

  it('filters by event and person, and keeps the filters in the URL', async () => {
    stubEventSource()
    const { user, server, address } = await openPage('/project/1/events', {
      ...routes,
      [EVENTS]: listOf(event('one'), event('two')),
    })
    await screen.findAllByText('one')

    await user.type(screen.getByRole('combobox', { name: 'Event' }), 'tw')
    await waitFor(() => expect(screen.queryByRole('option', { name: 'one' })).toBeNull())
    await user.click(await screen.findByRole('option', { name: 'two' }))
    await user.type(screen.getByRole('textbox', { name: 'Distinct ID' }), 'bob')

    await waitFor(() => expect(address()).toBe('/project/1/events?event=two&distinct_id=bob'))
    await waitFor(() => {
      const { query } = server.requests.findLast(({ path }) => path.endsWith('/events')) ?? {}
      expect(query?.get('event')).toBe('two')
      expect(query?.get('distinct_id')).toBe('bob')
    })
  })

  it('filters by properties, in the list, the stream, files and insights', async () => {
    const stream = stubEventSource()
    const { user, server, address } = await openPage('/project/1/events?event=two&hours=24', {
      ...routes,
      [EVENTS]: listOf(event('two')),
    })
    await screen.findAllByText('two')

    await user.click(screen.getByRole('button', { name: 'Add filter' }))
    await user.click(await screen.findByRole('option', { name: 'amount' }))
    await user.type(await screen.findByRole('combobox', { name: 'Values' }), '5{Enter}')
    await user.click(screen.getByRole('button', { name: 'Apply filter' }))

    expect(await screen.findByText('amount is 5')).toBeTruthy()
    const properties = [{ key: 'amount', type: 'event', operator: 'exact', value: ['5'] }]
    await waitFor(() => {
      const { query } = server.requests.findLast(({ path }) => path.endsWith('/events')) ?? {}
      expect(JSON.parse(query?.get('properties') ?? '[]')).toEqual(properties)
    })
    expect(address()).toContain('properties=')
    expect(
      JSON.parse(new URL(stream().url, 'http://x').searchParams.get('properties') ?? ''),
    ).toEqual(properties)
    await user.click(screen.getByRole('button', { name: 'Export' }))
    const csv = await screen.findByRole('menuitem', { name: 'Export as CSV' })
    const file = new URL(csv.getAttribute('href') ?? '', 'http://x')
    expect(file.pathname).toBe('/api/projects/1/events/export.csv')
    expect(JSON.parse(file.searchParams.get('properties') ?? '')).toEqual(properties)
    const link = screen.getByRole('link', { name: 'Create insight' })
    const q = new URL(link.getAttribute('href') ?? '', 'http://x').searchParams.get('q') ?? ''
    expect(decodeObject(q)).toMatchObject({
      kind: 'TrendsQuery',
      series: [{ event: 'two' }],
      interval: 'hour',
      dateRange: { date_from: '-24h' },
      properties,
    })
  })

  it('shows chosen properties of events and persons as columns, and remembers them', async () => {
    stubEventSource()
    onTestFinished(() => localStorage.clear())
    const reply = {
      ...routes,
      [EVENTS]: listOf(event('one', { properties: { amount: 7 } })),
      [BATCH]: { results: { ada: person(1, { properties: { plan: 'pro' } }) } },
    }
    const { user, address } = await openPage('/project/1/events', reply)
    await screen.findAllByText('one')

    await user.click(screen.getByRole('combobox', { name: 'Property columns' }))
    await user.click(await screen.findByRole('option', { name: 'amount' }))
    await user.click(await screen.findByRole('option', { name: 'plan' }))

    const cells = () => rowsOf().map((row) => within(row).getAllByRole('cell').slice(3))
    await waitFor(() => expect(cells()[0]?.map((cell) => cell.textContent)).toEqual(['7', 'pro']))
    expect(decodeURIComponent(address())).toContain(
      'columns=["properties.amount","person.properties.plan"]',
    )
    cleanup()
    await openPage('/project/1/events', reply)
    await screen.findAllByText('one')
    expect(await screen.findByRole('columnheader', { name: 'plan' })).toBeTruthy()
  })

  it('restores filters from the URL', async () => {
    stubEventSource()
    const { server } = await openPage('/project/1/events?event=two&distinct_id=bob', {
      ...routes,
      [EVENTS]: listOf(),
    })

    expect(await screen.findByText('No events found')).toBeTruthy()
    expect(server.requests.find(({ path }) => path.endsWith('/events'))?.query.get('event')).toBe(
      'two',
    )
  })

  it('loads older events, anchored at the newest one shown', async () => {
    stubEventSource()
    const { user, server } = await openPage('/project/1/events', {
      ...routes,
      [EVENTS]: ({ query }: { query: URLSearchParams }) =>
        query.get('offset') === '0'
          ? { next: 'more', results: [event('newer')] }
          : listOf(event('older', { timestamp: '2026-01-04T10:00:00.000Z' })),
    })
    await screen.findAllByText('newer')

    await user.click(screen.getByRole('button', { name: 'Load older events' }))

    await waitFor(() => expect(rowsOf()).toHaveLength(2))
    const { query } = server.requests.findLast(({ path }) => path.endsWith('/events')) ?? {}
    expect(query?.get('before')).toBe('2026-01-05T10:00:00.001Z')
  })

  it('shows live events, but pauses while the list or its button is hovered', async () => {
    const stream = stubEventSource()
    const { user } = await openPage('/project/1/events', {
      ...routes,
      [EVENTS]: listOf(event('before')),
    })
    await screen.findAllByText('before')
    act(() => stream().onopen?.())
    expect(screen.getByText('Listening')).toBeTruthy()
    act(() => stream().send('event', event('first', { timestamp: '2026-01-06T10:00:00.000Z' })))
    expect((await screen.findAllByText('first')).length).toBeGreaterThan(0)

    await user.hover(screen.getByRole('table'))
    expect(await screen.findByText('Paused while reading')).toBeTruthy()
    act(() => stream().send('event', event('after', { timestamp: '2026-01-07T10:00:00.000Z' })))

    const button = await screen.findByRole('button', { name: '1 new event' })
    expect(screen.queryAllByText('after')).toEqual([])
    await user.hover(button)
    expect(screen.getByText('Paused while reading')).toBeTruthy()
    await user.click(button)
    expect((await screen.findAllByText('after')).length).toBeGreaterThan(0)
  })

  it('says that it shows a sample until the list is loaded again', async () => {
    const stream = stubEventSource()
    const { user, server } = await openPage('/project/1/events', {
      ...routes,
      [EVENTS]: listOf(event('before')),
    })
    await screen.findAllByText('before')
    act(() => stream().onopen?.())

    act(() => stream().send('skipped', {}))
    act(() => stream().send('event', event('next', { timestamp: '2026-01-06T10:00:00.000Z' })))
    await screen.findAllByText('next')
    expect(screen.getByText('Showing a sample')).toBeTruthy()
    server.reply({ [EVENTS]: listOf(event('left out'), event('before')) })
    await user.click(screen.getByRole('button', { name: 'Load skipped events' }))

    expect((await screen.findAllByText('left out')).length).toBeGreaterThan(0)
    await waitFor(() => expect(screen.queryByText('Showing a sample')).toBeNull())
  })

  it('opens an event with all its properties, as text', async () => {
    stubEventSource()
    const properties = { [HOSTILE]: 1, text: HOSTILE, plan: 'pro' }
    const { user } = await openPage('/project/1/events', {
      ...routes,
      [EVENTS]: listOf(event(HOSTILE, { distinct_id: HOSTILE, properties })),
    })

    await screen.findAllByText(HOSTILE)
    await user.click(within(screen.getByRole('table')).getByRole('button', { name: HOSTILE }))
    const drawer = await screen.findByRole('dialog', { name: /img src=x/ })
    const table = within(drawer).getByRole('table', { name: 'Properties' })
    expect(within(table).getAllByRole('row')).toHaveLength(4)
    await user.type(within(drawer).getByRole('textbox', { name: 'Search properties' }), 'PRO')

    await waitFor(() => expect(within(table).getAllByRole('row')).toHaveLength(2))
    expect(document.querySelector('img[src=x]')).toBeNull()
    await user.click(within(drawer).getByRole('button', { name: 'Filter by plan' }))
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
    expect(await screen.findByText('plan is pro')).toBeTruthy()
  })
})
