import { act, screen, waitFor, within } from '@testing-library/react'
import { describe, expect, it } from 'vitest'
import type { ListedEvent } from '#server/features/events/events/schema.ts'
import { type FakeEventSource, stubEventSource } from '../../test/event-source.ts'
import { pageOf } from '../../test/fixtures.ts'
import { openPage } from '../../test/render.tsx'

const EVENTS = 'GET /api/projects/1/events'

/** The minute is the order of the events. */
const event = (name: string, minute: number): ListedEvent => ({
  id: `00000000-0000-4000-8000-0000000000${10 + minute}`,
  event: name,
  distinct_id: 'ada',
  timestamp: `2026-01-05T10:${10 + minute}:00.000Z`,
  properties: {},
  created_at: '2026-01-05T10:00:00.000Z',
})

const OLD = event('old', 1)
const LIVE = event('live', 2)
const MISSED = event('missed', 3)
const NEW = event('new', 4)

const NAMES = /^(old|live|missed|new)$/
const shownEvents = () =>
  within(screen.getByRole('table'))
    .queryAllByRole('button', { name: NAMES })
    .map((each) => each.textContent)

const waitForEvents = (...names: readonly string[]) =>
  waitFor(() => expect(shownEvents()).toEqual(names))

/** Opens the page with a listed and a live event. */
async function openEvents() {
  const stream = stubEventSource()
  const opened = await openPage('/project/1/events', {
    'GET /api/projects/1/event_definitions': pageOf(),
    [EVENTS]: { next: null, results: [OLD] },
  })
  await screen.findByRole('table')
  act(() => stream().onopen?.())
  act(() => stream().send('event', LIVE))
  await waitForEvents('live', 'old')
  const lists = () => opened.server.bodiesOf(EVENTS).length
  return { ...opened, stream, lists }
}

const interrupt = (stream: () => FakeEventSource) => act(() => stream().onerror?.())
const reconnect = (stream: () => FakeEventSource) => act(() => stream().onopen?.())

describe('the list of events', () => {
  it('is loaded once while the stream is connected', async () => {
    const { stream, lists } = await openEvents()

    act(() => stream().send('event', NEW))

    await waitForEvents('new', 'live', 'old')
    expect(lists()).toBe(1)
  })

  it('has what arrived while the stream was interrupted', async () => {
    const { server, stream } = await openEvents()
    interrupt(stream)
    server.reply({ [EVENTS]: { next: null, results: [MISSED, LIVE, OLD] } })

    reconnect(stream)

    await waitForEvents('missed', 'live', 'old')
  })

  it('has no hole when more than a page arrived meanwhile', async () => {
    const { server, stream } = await openEvents()
    interrupt(stream)
    server.reply({ [EVENTS]: { next: 'more', results: [MISSED] } })

    reconnect(stream)
    act(() => stream().send('event', NEW))

    await waitForEvents('new', 'missed')
    expect(screen.getByRole('button', { name: 'Load older events' })).toBeTruthy()
  })

  it('stays as it is while someone reads it', async () => {
    const { user, server, stream, lists } = await openEvents()
    await user.hover(screen.getByRole('table'))
    interrupt(stream)
    server.reply({ [EVENTS]: { next: null, results: [MISSED, LIVE, OLD] } })

    reconnect(stream)
    await screen.findByText('Paused while reading')
    expect(lists()).toBe(1)
    await user.unhover(screen.getByRole('table'))

    await waitForEvents('missed', 'live', 'old')
  })

  it('keeps what arrived when Live is turned off, and has the rest once it is on', async () => {
    const { user, server, stream } = await openEvents()
    await user.click(screen.getByRole('switch', { name: 'Live' }))
    await waitFor(() => expect(screen.queryByText('Listening')).toBeNull())
    await waitForEvents('live', 'old')
    server.reply({ [EVENTS]: { next: null, results: [MISSED, LIVE, OLD] } })

    await user.click(screen.getByRole('switch', { name: 'Live' }))
    reconnect(stream)

    await waitForEvents('missed', 'live', 'old')
  })
})
