import { screen, waitFor, within } from '@testing-library/react'
import { describe, expect, it } from 'vitest'
import { pageOf } from '../../test/fixtures.ts'
import { PERSONS, person } from '../../test/persons.ts'
import { openPage } from '../../test/render.tsx'
import { problem } from '../../test/server.ts'

const LIST = `GET ${PERSONS}`
const HOSTILE = '<img src=x onerror="document.title=1">'

const ada = person(1, {
  distinct_ids: ['ada', '0190-phone', '0190-laptop'],
  properties: { email: 'ada@example.com', plan: 'pro', city: 'Leeds', $initial_os: 'iOS' },
})
const visitor = person(2, { name: HOSTILE, distinct_ids: [HOSTILE], is_identified: false })

const rows = () => screen.getAllByRole('listitem')
const columns = () => screen.getByText('First seen').parentElement?.textContent

describe('persons page', () => {
  it('lists persons with their IDs, status and most frequent properties', async () => {
    await openPage('/project/1/persons', { [LIST]: pageOf(ada, visitor) })

    expect(await screen.findByText('2 persons')).toBeTruthy()
    const [first, second] = rows() as [HTMLElement, HTMLElement]
    const link = within(first).getByRole('link', { name: 'ada@example.com' })
    expect(link.getAttribute('href')).toBe(`/project/1/persons/${ada.uuid}`)
    expect(first.textContent).toContain('ada+2')
    expect(first.textContent).toContain('Identified')
    expect(first.textContent).toContain('pro')
    expect(within(second).getByText('Not identified')).toBeTruthy()
    expect(columns()).toBe('NameDistinct IDscityplanFirst seenStatus')
    expect(document.querySelector('img[src=x]')).toBeNull()
    expect(document.title).toBe('Persons · Hedgerow')
  })

  it('names people as they are called, and shows the letter of those who are identified', async () => {
    const named = person(3, {
      properties: { name: 'Grace Vega' },
      distinct_ids: ['grace@vega.example'],
    })
    await openPage('/project/1/persons', { [LIST]: pageOf(named, visitor) })
    await screen.findByText('2 persons')

    const [first, second] = rows() as [HTMLElement, HTMLElement]
    expect(within(first).getByRole('link').textContent).toBe('Grace Vega')
    expect(first.textContent).toMatch(/^GGrace Vegagrace@vega\.example/)
    expect(second.textContent).toMatch(/^<img/)
  })

  it('names visitors after the end of their ID, but not people whose ID was chosen', async () => {
    const [first, second] = ['0195c2f1-6aa0-7fff-9001-0c5e1d3f9a2c', HOSTILE] as const
    const known = { name: first, distinct_ids: [first] }
    await openPage('/project/1/persons', {
      [LIST]: pageOf(
        person(3, { ...known, is_identified: false }),
        person(4, { ...known, is_identified: true }),
        person(5, { name: second, distinct_ids: [second], is_identified: false }),
      ),
    })
    await screen.findByText('3 persons')

    const names = rows().map((row) => within(row).getByRole('link').textContent)
    expect(names).toEqual(['Visitor 3f9a2c', first, second])
    expect(rows()[0]?.querySelector(`[title="${first}"]`)?.textContent).toBe('0195c2f1-…1d3f9a2c')
  })

  it('suggests columns that have values, and keeps them during a search', async () => {
    const withIds = { ...ada, properties: { ...ada.properties, _kx: null, gclid: 'x', city: null } }
    const { user } = await openPage('/project/1/persons', {
      [LIST]: ({ query }: { query: URLSearchParams }) =>
        query.get('search')
          ? pageOf({ ...visitor, properties: { color: 'red' } })
          : pageOf(withIds),
    })
    await screen.findByText('1 person')
    const before = columns()

    await user.type(screen.getByRole('searchbox', { name: 'Search persons' }), 'v')
    await screen.findByText('Not identified')

    expect(before).toBe('NameDistinct IDsplanFirst seenStatus')
    expect(columns()).toBe(before)
  })

  it('searches on the server and keeps the search in the URL', async () => {
    const { user, address } = await openPage('/project/1/persons', {
      [LIST]: ({ query }: { query: URLSearchParams }) =>
        query.get('search') ? pageOf() : pageOf(ada),
    })
    await screen.findByText('1 person')

    await user.type(screen.getByRole('searchbox', { name: 'Search persons' }), 'bob')

    expect(await screen.findByText('No persons found')).toBeTruthy()
    expect(screen.getByText('No name, e-mail address or distinct ID matches.')).toBeTruthy()
    expect(address()).toBe('/project/1/persons?search=bob')
    await user.click(screen.getByRole('button', { name: 'Clear filters' }))
    expect(await screen.findByText('1 person')).toBeTruthy()
  })

  it('does not give the count of a search that has more pages', async () => {
    await openPage('/project/1/persons?search=ada', {
      [LIST]: ({ query }: { query: URLSearchParams }) =>
        query.get('offset')
          ? { ...pageOf(visitor), count: 2 }
          : { ...pageOf(ada), count: 2, next: 'more' },
    })

    expect(await screen.findByText('First 1 person')).toBeTruthy()
  })

  it('remembers the chosen columns', async () => {
    const routes = { [LIST]: pageOf(ada) }
    const { user } = await openPage('/project/1/persons', routes)
    await screen.findByText('1 person')

    await user.click(screen.getByRole('combobox', { name: 'Property columns' }))
    await user.click(await screen.findByRole('option', { name: 'Initial OS $initial_os' }))

    await waitFor(() =>
      expect(columns()).toBe('NameDistinct IDscityplanInitial OSFirst seenStatus'),
    )
    expect(within(rows()[0] as HTMLElement).getByText('iOS')).toBeTruthy()
    const saved = localStorage.getItem('hedgerow-person-columns-1')
    expect(JSON.parse(saved ?? '')).toEqual(['city', 'plan', '$initial_os'])
  })

  it('loads the next page', async () => {
    const { user } = await openPage('/project/1/persons', {
      [LIST]: ({ query }: { query: URLSearchParams }) =>
        query.get('offset')
          ? { ...pageOf(visitor), count: 2 }
          : { ...pageOf(ada), count: 2, next: 'more' },
    })
    await screen.findByText('2 persons')

    await user.click(screen.getByRole('button', { name: 'Load more' }))

    await waitFor(() => expect(rows()).toHaveLength(2))
  })

  it('explains where persons come from when there are none', async () => {
    await openPage('/project/1/persons', { [LIST]: pageOf() })

    expect(await screen.findByText('No persons yet')).toBeTruthy()
    expect(screen.getByText(/first event of a distinct ID/)).toBeTruthy()
  })

  it('shows an error and retries', async () => {
    const { user, server } = await openPage('/project/1/persons', {
      [LIST]: problem(503, 'The event store is busy.'),
    })
    await screen.findByText('The event store is busy.')

    server.reply({ [LIST]: pageOf(ada) })
    await user.click(screen.getByRole('button', { name: 'Try again' }))

    expect(await screen.findByText('1 person')).toBeTruthy()
  })
})

const BATCH = `POST ${PERSONS}/batch_by_distinct_ids`

describe('link to a person by distinct ID', () => {
  it('opens the person, even if the ID looks like a number', async () => {
    const { address, server } = await openPage('/project/1/person?distinct_id=42', {
      [BATCH]: { results: { 42: ada } },
      [`GET ${PERSONS}/${ada.uuid}`]: ada,
      'GET /api/projects/1/events': { next: null, results: [] },
      'GET /api/projects/1/event_definitions': pageOf(),
    })

    await waitFor(() => expect(address()).toBe(`/project/1/persons/${ada.uuid}`))
    expect(server.bodiesOf(BATCH)[0]).toEqual({ distinct_ids: ['42'] })
  })

  it('shows that the ID has no person', async () => {
    await openPage('/project/1/person?distinct_id=ghost', {})

    expect(await screen.findByText('No person with this ID')).toBeTruthy()
  })
})
