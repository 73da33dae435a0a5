import { screen, waitFor, within } from '@testing-library/react'
import { describe, expect, it } from 'vitest'
import { fill } from '../../test/fill.ts'
import { pageOf } from '../../test/fixtures.ts'
import { openPage } from '../../test/render.tsx'
import { type FakeRequest, problem, type Routes } from '../../test/server.ts'

const EVENTS = '/api/projects/1/event_definitions'
const PROPERTIES = '/api/projects/1/property_definitions'

const WRITTEN = {
  ...{ description: '', owner: null, tags: [] as string[], verified: false, verified_at: null },
  ...{ verified_by: null, hidden: false, updated_at: null, updated_by: null },
}
const event = (name: string, fields: object = {}) => ({
  ...{ id: `id-${name}`, name, volume_30_day: 12_345, last_seen_at: null, ...WRITTEN },
  ...fields,
})
const property = (name: string, fields: object = {}) => ({
  ...{ id: `id-${name}`, name, type: 'event', property_type: 'Numeric', is_numerical: true },
  ...WRITTEN,
  ...fields,
})

const routes: Routes = {
  [`GET ${EVENTS}`]: pageOf(
    event('paid', { verified: true, tags: ['core'], description: 'Money came in.' }),
    event('$pageview'),
    event('noise', { hidden: true }),
  ),
  [`GET ${PROPERTIES}`]: pageOf(property('price')),
  'GET /api/projects/1/members': pageOf({
    user: { id: 4, uuid: 'u4', first_name: 'Mina', last_name: 'Ito', email: 'mina@example.com' },
    level: 1,
  }),
}

const open = (query = '', more: Routes = {}) =>
  openPage(`/project/1/data${query}`, { ...routes, ...more })

const rows = () => screen.getAllByRole('listitem').map(({ textContent }) => textContent)

describe('data management', () => {
  it('lists events in words, with volume, descriptions, tags and marks', async () => {
    await open()

    await screen.findByText('3 names')
    expect(rows()).toEqual([
      expect.stringContaining('paidMoney came in.12,345nevercore'),
      expect.stringContaining('Page view$pageviewA page was opened.'),
      expect.stringContaining('Hidden'),
    ])
    expect(screen.getAllByRole('img', { name: 'Verified' })).toHaveLength(1)
  })

  it('searches, filters and switches to properties in the URL', async () => {
    const { user, server, address } = await open()
    const last = () => server.requests.findLast(({ path }) => path.endsWith('_definitions'))

    await user.click(await screen.findByText('Verified'))
    await waitFor(() => expect(last()?.query.get('verified')).toBe('true'))
    await user.click(screen.getByRole('tab', { name: 'Person properties' }))

    await screen.findByText('price')
    expect(last()?.path).toBe(PROPERTIES)
    expect(last()?.query.get('type')).toBe('person')
    expect(address()).toContain('tab=person-properties')
  })

  it('saves what changed, and hides what was verified', async () => {
    const { user, server } = await open('', {
      [`PATCH ${EVENTS}/id-paid`]: ({ body }: FakeRequest) => event('paid', body as object),
    })

    await user.click(await screen.findByRole('button', { name: /^paid/ }))
    const drawer = within(await screen.findByRole('dialog', { name: 'paid' }))
    const description = drawer.getByRole('textbox', { name: 'Description' })
    await user.clear(description)
    await fill(user, description, 'An invoice was paid.')
    await user.click(drawer.getByRole('combobox', { name: 'Owner' }))
    await user.click(await screen.findByRole('option', { name: 'Mina Ito' }))
    await user.click(drawer.getByRole('switch', { name: /^Hidden/ }))
    await user.click(drawer.getByRole('button', { name: 'Save' }))

    await waitFor(() => expect(screen.queryByRole('dialog', { name: 'paid' })).toBeNull())
    const sent = server.requests.find(({ method }) => method === 'PATCH')
    expect(sent?.body).toEqual({
      ...{ description: 'An invoice was paid.', owner: 4, verified: false, hidden: true },
    })
  })

  it('keeps the drawer open with the reason if saving fails', async () => {
    const { user } = await open('?tab=event-properties', {
      [`PATCH ${PROPERTIES}/id-price`]: problem(403, 'API key missing required scope'),
    })

    await user.click(await screen.findByRole('button', { name: 'price' }))
    await user.click(await screen.findByRole('combobox', { name: 'Type' }))
    await user.click(await screen.findByRole('option', { name: 'Text' }))
    await user.click(screen.getByRole('button', { name: 'Save' }))

    expect(await screen.findByText('API key missing required scope')).toBeTruthy()
    expect(screen.getByRole('dialog', { name: 'price' })).toBeTruthy()
  })

  it.each([
    ['', 'No events yet'],
    ['?tab=person-properties', 'No person properties yet'],
    ['?view=verified', 'Nothing verified yet'],
    ['?search=x', 'No names found'],
  ])('explains an empty list at %j', async (query, title) => {
    await open(query, { [`GET ${EVENTS}`]: pageOf(), [`GET ${PROPERTIES}`]: pageOf() })

    expect(await screen.findByRole('heading', { name: title })).toBeTruthy()
  })
})
