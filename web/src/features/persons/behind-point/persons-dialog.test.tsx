import { screen, waitFor } from '@testing-library/react'
import { describe, expect, it } from 'vitest'
import { openNumber, QUERY, readQuery, recordDownloads } from '../../../test/behind-point.ts'
import { fill } from '../../../test/fill.ts'
import { type FakeRequest, problem, type Routes } from '../../../test/server.ts'

const CREATE = 'POST /api/projects/1/cohorts'
const HOSTILE = '<img src=x onerror="document.title=1">'

const actor = (name: string, fields: object = {}) => [
  {
    id: `uuid-${name}`,
    name,
    distinct_ids: [name, '0190-phone'],
    properties: { email: `${name}@example.com` },
    created_at: '2026-01-05T10:00:00.000Z',
    is_identified: true,
    ...fields,
  },
  3,
]

const step = (order: number, count: number) => ({
  name: ['visit', 'paid'][order],
  custom_name: null,
  order,
  count,
  conversion_rate: count / 9,
  step_conversion_rate: count / 9,
  median_conversion_time: null,
  average_conversion_time: null,
})

/** A funnel in which 2 of 9 paid. Persons come in two pages; a search finds no one. */
const ROUTES: Routes = {
  [QUERY]: ({ body }: FakeRequest) => {
    const { kind, search, offset, source } = readQuery(body)
    const done = { last_refresh: '2026-01-05T10:00:00.000Z' }
    if (kind !== 'ActorsQuery') return { ...done, results: [step(0, 9), step(1, 2)] }
    if (search) return { results: [], hasMore: false }
    if ((source?.funnelStep ?? 0) < 0) return { results: [actor('eve')], hasMore: false }
    const visitor = actor(HOSTILE, { created_at: null, properties: {}, distinct_ids: [HOSTILE] })
    return offset
      ? { results: [visitor], hasMore: false }
      : { results: [actor('ada')], hasMore: true }
  },
  [CREATE]: { id: 7, name: 'Payers', count: 2 },
}

const FUNNEL = {
  kind: 'FunnelsQuery',
  series: [{ event: 'visit' }, { event: 'paid' }],
  dateRange: { date_from: '-7d' },
}

/** Opens the persons who paid. */
const open = (routes: Routes = {}) => openNumber(FUNNEL, 'ActorsQuery', { ...ROUTES, ...routes })

describe('persons dialog', () => {
  it('lists the persons behind a number, page by page', async () => {
    const { user, dialog, queries } = await open()

    expect(screen.getByRole('dialog', { name: 'Persons: 2. paid, converted' })).toBeTruthy()
    const ada = await dialog.findByRole('link', { name: 'ada' })
    expect(ada.getAttribute('href')).toBe('/project/1/persons/uuid-ada')
    expect(dialog.getByText('ada +1')).toBeTruthy()
    expect(dialog.getByText('First 1 person')).toBeTruthy()
    await user.click(dialog.getByRole('button', { name: 'Load more' }))

    expect(await dialog.findByText('2 persons')).toBeTruthy()
    expect(dialog.queryByRole('link', { name: HOSTILE })).toBeNull() // has no page
    expect(document.querySelector('img[src=x]')).toBeNull()
    const source = { kind: 'FunnelsActorsQuery', source: FUNNEL, funnelStep: 2 }
    expect(queries()[0]).toMatchObject({ select: ['actor', 'event_count'], limit: 100, source })
    expect(queries().map(({ offset }) => offset)).toEqual([0, 100])
  })

  it('switches to the persons who dropped off', async () => {
    const { user, dialog, queries } = await open()

    await user.click(await dialog.findByRole('radio', { name: 'Dropped off (7)' }))

    expect(await dialog.findByRole('link', { name: 'eve' })).toBeTruthy()
    expect(queries().at(-1)?.source?.funnelStep).toBe(-2)
    expect(screen.getByRole('dialog', { name: 'Persons: 2. paid, dropped off' })).toBeTruthy()
  })

  it('searches on the server', async () => {
    const { user, dialog, queries } = await open()

    await fill(user, dialog.getByRole('searchbox', { name: 'Search persons' }), 'bob')

    expect(await dialog.findByText('No persons found')).toBeTruthy()
    expect(queries().at(-1)).toMatchObject({ search: 'bob', offset: 0 })
    await user.click(dialog.getByRole('button', { name: 'Clear filters' }))
    expect(await dialog.findByRole('link', { name: 'ada' })).toBeTruthy()
  })

  it('saves all persons as a cohort and links to it', async () => {
    const { user, server, dialog } = await open()

    await user.click(dialog.getByRole('button', { name: 'Save as cohort' }))
    const name = dialog.getByRole('textbox', { name: 'Cohort name' })
    expect((name as HTMLInputElement).value).toBe('2. paid, converted')
    await user.clear(name)
    await fill(user, name, 'Payers')
    await user.click(dialog.getByRole('button', { name: 'Create cohort' }))

    const link = await dialog.findByRole('link', { name: 'Payers' })
    expect(link.getAttribute('href')).toBe('/project/1/cohorts/7')
    expect(dialog.getByText(/Saved 2 persons as/)).toBeTruthy()
    const [sent] = server.bodiesOf(CREATE) as [{ query: object }]
    expect(sent).toMatchObject({ name: 'Payers', is_static: true })
    expect(sent.query).toEqual({
      kind: 'ActorsQuery',
      select: ['actor', 'event_count'],
      source: { kind: 'FunnelsActorsQuery', source: FUNNEL, funnelStep: 2 },
    })
  })

  it('exports all persons as CSV', async () => {
    const files = recordDownloads()
    const { user, dialog, queries } = await open()

    await user.click(dialog.getByRole('button', { name: 'Export CSV' }))

    await waitFor(() => expect(files).toHaveLength(1))
    const lines = (await files[0]?.text())?.split('\r\n')
    expect(lines?.[0]).toBe('name,email,person_id,distinct_ids,events,first_seen')
    expect(lines?.[1]).toBe(
      'ada,ada@example.com,uuid-ada,ada 0190-phone,3,2026-01-05T10:00:00.000Z',
    )
    expect(lines).toHaveLength(4)
    expect(queries().at(-1)).toMatchObject({ limit: 1000, offset: 1 })
  })

  it('explains why persons cannot be listed', async () => {
    const refusal = problem(403, 'You need the scope person:read.')
    const reply = ROUTES[QUERY] as (request: FakeRequest) => unknown
    const { dialog } = await open({
      [QUERY]: (request: FakeRequest) =>
        readQuery(request.body).kind === 'ActorsQuery' ? refusal : reply(request),
    })

    expect(await dialog.findByText('You need the scope person:read.')).toBeTruthy()
  })
})
