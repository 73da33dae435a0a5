import { act, screen, waitFor, within } from '@testing-library/react'
import { describe, expect, it } from 'vitest'
import type { ListedEvent } from '#server/features/events/events/schema.ts'
import { stubEventSource } from '../../test/event-source.ts'
import { pageOf } from '../../test/fixtures.ts'
import { openPage } from '../../test/render.tsx'

const EVENTS = 'GET /api/projects/1/events'
const DEFINITIONS = 'GET /api/projects/1/event_definitions'
const HOSTILE = '<img src=x onerror="document.title=1"><b>bold</b>'

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

const routes = {
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
    await user.click(within(drawer).getByRole('button', { name: 'Filter by this ID' }))
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
  })
})
