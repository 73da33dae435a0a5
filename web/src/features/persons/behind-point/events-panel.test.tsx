import { screen, waitFor, within } from '@testing-library/react'
import { describe, expect, it } from 'vitest'
import { openNumber, QUERY, readQuery, recordDownloads } from '../../../test/behind-point.ts'
import type { FakeRequest, Routes } from '../../../test/server.ts'

const HOSTILE = '<img src=x onerror="document.title=1">'

const eventOf = (name: string, person: object = {}) => [
  {
    uuid: `event-${name}`,
    event: 'paid',
    distinct_id: name,
    timestamp: '2025-01-05T10:00:00.000Z',
    properties: { $current_url: `https://shop.example/${name}` },
    created_at: '2025-01-05T10:00:01.000Z',
    person_id: `uuid-${name}`,
  },
  {
    uuid: `uuid-${name}`,
    name,
    properties: {},
    created_at: '2025-01-01T00:00:00.000Z',
    is_identified: false,
    ...person,
  },
]

const TREND = {
  kind: 'TrendsQuery',
  series: [{ kind: 'EventsNode', event: 'paid' }],
  dateRange: { date_from: '-7d' },
  trendsFilter: { display: 'ActionsBarValue' },
}

const LIFECYCLE = { ...TREND, kind: 'LifecycleQuery', trendsFilter: undefined }

/** A number of 2 events, which come in two pages. */
const ROUTES: Routes = {
  [QUERY]: ({ body }: FakeRequest) => {
    const { kind, offset } = readQuery(body)
    if (kind === 'ActorsQuery') return { results: [], hasMore: false }
    if (kind === 'EventsQuery') {
      return offset
        ? { results: [eventOf(HOSTILE, { created_at: null })], hasMore: false }
        : { results: [eventOf('ada')], hasMore: true }
    }
    const done = { last_refresh: '2026-01-05T10:00:00.000Z' }
    const action = { id: 'paid', name: 'paid', custom_name: null, order: 0, type: 'events' }
    const series = { label: 'paid', action, aggregated_value: 2, count: 2 }
    if (JSON.stringify(body).includes('LifecycleQuery')) {
      const days = { data: [2], days: ['2026-01-05'], labels: ['5-Jan-2026'] }
      return { ...done, results: [{ label: 'paid', action, count: 2, status: 'dormant', ...days }] }
    }
    return { ...done, results: [{ ...series, data: [], days: [], labels: [] }] }
  },
}

const open = (query: object) => openNumber(query, 'EventsQuery', ROUTES)

describe('events of a point', () => {
  it('are listed in a tab with time, person and URL, page by page', async () => {
    const { user, dialog, queries } = await open(TREND)

    await user.click(dialog.getByRole('tab', { name: 'Events' }))

    expect(await screen.findByRole('dialog', { name: 'Events: paid' })).toBeTruthy()
    const ada = await dialog.findByRole('link', { name: 'ada' })
    expect(ada.getAttribute('href')).toBe('/project/1/persons/uuid-ada')
    expect(dialog.getByText('https://shop.example/ada')).toBeTruthy()
    expect(dialog.getByText('Newest 1 event')).toBeTruthy()
    await user.click(dialog.getByRole('button', { name: 'Load more' }))
    expect(await dialog.findByText('2 events')).toBeTruthy()
    expect(dialog.queryByRole('link', { name: HOSTILE })).toBeNull() // has no page
    expect(document.querySelector('img[src=x]')).toBeNull()
    expect(queries()[0]).toMatchObject({
      select: ['*', 'person'],
      source: { kind: 'InsightActorsQuery', source: TREND, series: 0 },
    })
    expect(queries().map(({ offset }) => offset)).toEqual([0, 1])
  })

  it('open with every detail', async () => {
    const { user, dialog } = await open(TREND)

    await user.click(dialog.getByRole('tab', { name: 'Events' }))
    await user.click(await dialog.findByRole('button', { name: 'paid' }))

    const drawer = within(await screen.findByRole('dialog', { name: 'paid' }))
    expect(drawer.getByText('event-ada')).toBeTruthy()
    await user.keyboard('{Escape}')
    await waitFor(() => expect(screen.queryByRole('dialog', { name: 'paid' })).toBeNull())
    expect(screen.getByRole('dialog', { name: 'Events: paid' })).toBeTruthy()
  })

  it('are exported as CSV', async () => {
    const files = recordDownloads()
    const { user, dialog, queries } = await open(TREND)

    await user.click(dialog.getByRole('tab', { name: 'Events' }))
    await user.click(await dialog.findByRole('button', { name: 'Export CSV' }))

    await waitFor(() => expect(files).toHaveLength(1))
    const lines = (await files[0]?.text())?.split('\r\n')
    expect(lines?.slice(0, 2)).toEqual([
      'time,event,person,person_id,distinct_id,url,event_id',
      '2025-01-05T10:00:00.000Z,paid,ada,uuid-ada,ada,https://shop.example/ada,event-ada',
    ])
    expect(lines).toHaveLength(4)
    expect(queries().at(-1)).toMatchObject({ limit: 1000, offset: 1 })
  })

  it('have no tab where a number counts none', async () => {
    const { dialog } = await open(LIFECYCLE)

    expect(await dialog.findByText('No persons')).toBeTruthy()
    expect(dialog.queryByRole('tab', { name: 'Events' })).toBeNull()
  })
})
