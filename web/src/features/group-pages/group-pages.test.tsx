import { screen, waitFor, within } from '@testing-library/react'
import { describe, expect, it } from 'vitest'
import { fill } from '../../test/fill.ts'
import { pageOf } from '../../test/fixtures.ts'
import { openPage } from '../../test/render.tsx'
import { problem, type Routes } from '../../test/server.ts'

const GROUPS = '/api/projects/1/groups'
const EVENTS = 'GET /api/projects/1/events'

const group = (group_key: string, group_properties: object = {}) => ({
  group_type_index: 0,
  group_key,
  group_properties,
  created_at: '2026-01-05T10:00:00.000Z',
})

const type = (group_type: string, group_type_index: number, name_plural: string | null = null) => ({
  group_type,
  group_type_index,
  name_singular: null,
  name_plural,
  created_at: '2026-01-05T10:00:00.000Z',
})

const acme = group('acme', { name: 'Acme Ltd', plan: 'pro' })

const event = {
  id: 'an event',
  event: 'paid',
  distinct_id: 'ada',
  timestamp: '2026-01-05T10:00:00.000Z',
  properties: { $groups: { company: 'acme', unknown: 'x' } },
  created_at: '2026-01-05T10:00:00.000Z',
}

const routes: Routes = {
  'GET /api/projects/1/groups_types': [type('company', 0, 'Companies'), type('team', 1)],
  [`GET ${GROUPS}`]: { next: null, previous: null, results: [acme, group('globex')] },
  [`GET ${GROUPS}/find`]: acme,
  [`GET ${GROUPS}/activity`]: pageOf(),
  'GET /api/projects/1/event_definitions': pageOf(),
  'GET /api/projects/1/property_definitions': pageOf(),
  [EVENTS]: { next: null, results: [event] },
}

describe('groups page', () => {
  it('filters the groups by their properties', async () => {
    const { user, server, address } = await openPage('/project/1/groups', {
      ...routes,
      [`GET ${GROUPS}/property_definitions`]: { 0: [{ name: 'plan', count: 2 }], 1: [] },
      [`GET ${GROUPS}/property_values`]: [{ name: 'pro', count: 1 }],
      'GET /api/projects/1/property_values': { results: [] },
    })
    await screen.findByRole('table', { name: 'Groups' })

    await user.click(screen.getByRole('button', { name: 'Add filter' }))
    await user.click(await screen.findByRole('combobox', { name: 'Property' }))
    await user.click(await screen.findByRole('option', { name: /^plan/i }))
    await user.click(screen.getByRole('combobox', { name: 'Values' }))
    await user.click(await screen.findByRole('option', { name: /^pro/i }))
    await user.click(screen.getByRole('button', { name: 'Apply filter' }))

    await waitFor(() => expect(address()).toContain('properties='))
    const sent = server.requests.filter(({ path }) => path === GROUPS).at(-1)
    expect(JSON.parse(sent?.query.get('properties') ?? '')).toEqual([
      { key: 'plan', type: 'group', group_type_index: 0, operator: 'exact', value: ['pro'] },
    ])
    await user.click(screen.getByRole('button', { name: /Remove/ }))
    await waitFor(() => expect(address()).not.toContain('properties='))
  })

  it('lists the groups of a type with their properties, from the navigation', async () => {
    const { user, server, address } = await openPage('/project/1/groups', routes)

    const table = within(await screen.findByRole('table', { name: 'Groups' }))
    expect(await screen.findAllByRole('link', { name: 'Groups' })).not.toEqual([])
    expect(table.getByRole('link', { name: 'Acme Ltd' }).getAttribute('href')).toBe(
      '/project/1/groups/0/acme',
    )
    expect(table.getByRole('columnheader', { name: 'plan' })).toBeTruthy()
    expect(table.getByRole('cell', { name: 'pro' })).toBeTruthy()
    await user.click(screen.getByRole('radio', { name: 'team' }))

    await waitFor(() => expect(address()).toBe('/project/1/groups?type=1'))
    const indexes = server.requests
      .filter(({ path }) => path === GROUPS)
      .map(({ query }) => query.get('group_type_index'))
    expect(indexes).toEqual(['0', '1'])
  })

  it('suggests columns of the team, and names those of libraries in words', async () => {
    const globex = group('globex', { $host: 'app.example.com', plan: 'free' })
    const { user } = await openPage('/project/1/groups', {
      ...routes,
      [`GET ${GROUPS}`]: { next: null, previous: null, results: [globex] },
    })
    const heads = () => screen.getAllByRole('columnheader').map(({ textContent }) => textContent)
    await screen.findByRole('table', { name: 'Groups' })
    expect(heads()).toEqual(['Group', 'plan', 'First seen'])

    await user.click(screen.getByRole('combobox', { name: 'Property columns' }))
    await user.click(await screen.findByRole('option', { name: 'Host' }))

    expect(heads()).toEqual(['Group', 'plan', 'Host', 'First seen'])
  })

  it('searches, and loads the next page by its cursor', async () => {
    const next = 'http://localhost/api/projects/1/groups?cursor=abc'
    const { user, server } = await openPage('/project/1/groups', {
      ...routes,
      [`GET ${GROUPS}`]: ({ query }: { query: URLSearchParams }) =>
        query.get('cursor') === 'abc'
          ? { next: null, previous: null, results: [group('older')] }
          : { next, previous: null, results: [acme] },
    })

    await user.click(await screen.findByRole('button', { name: 'Load more' }))
    expect(await screen.findByRole('link', { name: 'older' })).toBeTruthy()
    await fill(user, screen.getByRole('searchbox', { name: 'Search groups' }), 'acm')

    await waitFor(() => expect(server.requests.at(-1)?.query.get('search')).toBe('acm'))
  })

  it('is not in the navigation without groups', async () => {
    await openPage('/project/1/groups', {})

    expect(await screen.findByText('No groups yet')).toBeTruthy()
    expect(screen.queryByRole('link', { name: 'Groups' })).toBeNull()
  })
})

describe('group page', () => {
  it('shows its events, which link to their groups', async () => {
    const { user, server } = await openPage('/project/1/groups/0/acme', routes)

    expect(await screen.findByRole('heading', { name: 'Acme Ltd', level: 1 })).toBeTruthy()
    await user.click(within(await screen.findByRole('table')).getByRole('button', { name: 'paid' }))
    const drawer = within(await screen.findByRole('dialog', { name: 'paid' }))
    const link = await drawer.findByRole('link', { name: 'acme' })

    expect(link.getAttribute('href')).toBe('/project/1/groups/0/acme')
    const { query } = server.requests.find(({ path }) => path.endsWith('/events')) ?? {}
    expect(JSON.parse(query?.get('properties') ?? '')).toEqual([
      { type: 'event_metadata', key: '$group_0', operator: 'exact', value: ['acme'] },
    ])
  })

  it('edits a property', async () => {
    const CHANGE = `POST ${GROUPS}/update_property`
    const { user, server } = await openPage('/project/1/groups/0/acme?tab=properties', {
      ...routes,
      [CHANGE]: group('acme', { name: 'Acme Ltd', plan: 'team' }),
    })

    await user.click(await screen.findByRole('button', { name: 'Edit plan' }))
    const dialog = within(await screen.findByRole('dialog', { name: 'Edit property' }))
    await user.clear(dialog.getByRole('textbox', { name: 'Value' }))
    await fill(user, dialog.getByRole('textbox', { name: 'Value' }), 'team')
    await user.click(dialog.getByRole('button', { name: 'Save' }))

    expect(await screen.findByText('team')).toBeTruthy()
    expect(server.bodiesOf(CHANGE)).toEqual([{ key: 'plan', value: 'team' }])
  })

  it('asks for the activity of this group', async () => {
    const { server } = await openPage('/project/1/groups/0/acme?tab=activity', routes)

    expect(await screen.findByText('Changes to this group appear here.')).toBeTruthy()
    const { query } = server.requests.find(({ path }) => path.endsWith('/activity')) ?? {}
    expect([query?.get('group_type_index'), query?.get('group_key')]).toEqual(['0', 'acme'])
  })

  it('is shown for a group that only events name', async () => {
    await openPage('/project/1/groups/0/initech?tab=properties', {
      ...routes,
      [`GET ${GROUPS}/find`]: problem(404, 'Group not found.'),
    })

    expect(await screen.findByRole('heading', { name: 'initech', level: 1 })).toBeTruthy()
    expect(screen.getByText('No properties yet')).toBeTruthy()
  })
})
