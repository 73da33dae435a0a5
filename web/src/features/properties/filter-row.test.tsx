import { screen, waitFor, within } from '@testing-library/react'
import { useState } from 'react'
import { describe, expect, it } from 'vitest'
import type { PropertyFilter } from '#model/query-kinds/common.schema.ts'
import { fill } from '../../test/fill.ts'
import { pageOf } from '../../test/fixtures.ts'
import { renderInApp } from '../../test/render.tsx'
import type { FakeRequest, Routes } from '../../test/server.ts'
import { FilterRow } from './filter-row.tsx'
import { NEW_FILTER } from './filters-model.ts'

const PAYING = { id: 3, name: 'Paying' }

/** Lists the properties of the type that a request names. */
const byType = <T,>(query: URLSearchParams, lists: Readonly<Record<string, T>>) =>
  lists[query.get('type') ?? ''] ?? pageOf()

const ROUTES: Routes = {
  'GET /api/projects/1/property_definitions': ({ query }: FakeRequest) =>
    byType(query, {
      event: pageOf({ name: '$browser' }, { name: 'price' }),
      person: pageOf({ name: 'plan' }, { name: 'email' }),
    }),
  'GET /api/projects/1/property_values': ({ query }: FakeRequest) => ({
    results: query.get('type') === 'person' ? [{ value: 'pro', count: 2 }] : [],
  }),
  'GET /api/projects/1/cohorts': pageOf(PAYING),
  'GET /api/projects/1/cohorts/9': { id: 9, name: 'Old friends' },
}

interface RowProps {
  readonly initial: PropertyFilter
  readonly onShow: (filter: PropertyFilter) => void
}

function Row({ initial, onShow }: RowProps) {
  const [filter, setFilter] = useState(initial)
  onShow(filter)
  return <FilterRow filter={filter} onChange={setFilter} />
}

async function start(initial: PropertyFilter = NEW_FILTER, routes: Routes = {}) {
  let shown = initial
  const show = (filter: PropertyFilter) => {
    shown = filter
  }
  const rendered = await renderInApp(<Row initial={initial} onShow={show} />, {
    routes: { ...ROUTES, ...routes },
  })
  const field = (name: string) => screen.getByRole('combobox', { name }) as HTMLInputElement
  const choose = async (name: string, option: string) => {
    await rendered.user.click(field(name))
    await rendered.user.click(await screen.findByRole('option', { name: option }))
  }
  return { ...rendered, field, choose, filter: () => shown }
}

describe('filter', () => {
  it('offers properties of events and persons, and values of person properties', async () => {
    const { user, field, choose, filter } = await start()

    await user.click(field('Property'))
    const persons = await screen.findByText('Person properties')
    const group = within(persons.parentElement as HTMLElement)
    expect(group.getAllByRole('option').map(({ textContent }) => textContent)).toEqual([
      'plan',
      'email',
    ])
    await user.click(group.getByRole('option', { name: 'plan' }))
    await choose('Values', 'pro')

    expect(filter()).toEqual({ key: 'plan', type: 'person', operator: 'exact', value: ['pro'] })
  })

  it('selects a known property by its first letters, even if typed before the names are there', async () => {
    const names = Promise.withResolvers<void>()
    const list = ROUTES['GET /api/projects/1/property_definitions'] as (r: FakeRequest) => object
    const { user, field, filter } = await start(NEW_FILTER, {
      'GET /api/projects/1/property_definitions': async (request: FakeRequest) => {
        await names.promise
        return list(request)
      },
    })

    await user.type(field('Property'), 'brow')
    expect(screen.queryByRole('option', { name: /^Use/ })).toBeNull()
    names.resolve()
    await screen.findByRole('option', { name: 'Browser $browser' })
    await user.keyboard('{Enter}')

    expect(filter()).toMatchObject({ key: '$browser', type: 'event' })
  })

  it.each(['browser', '$brow', 'BROWSER'])('finds a known property by %s', async (words) => {
    const { user, field, choose, filter } = await start()

    await user.type(field('Property'), words)
    await choose('Property', 'Browser $browser')

    expect(filter()).toMatchObject({ key: '$browser', type: 'event' })
    expect(field('Property').value).toBe('Browser')
    expect(field('Property').title).toBe('Event properties: $browser')
  })

  it('tells a known property from one that the user calls the same', async () => {
    const { user, field } = await start(NEW_FILTER, {
      'GET /api/projects/1/property_definitions': ({ query }: FakeRequest) =>
        byType(query, { event: pageOf({ name: '$os' }, { name: 'OS' }) }),
    })

    await user.click(field('Property'))

    await screen.findByRole('option', { name: 'OS $os' })
    expect(screen.getByRole('option', { name: 'OS (custom) OS' })).toBeTruthy()
  })

  it('marks verified properties, describes them, and leaves out hidden ones', async () => {
    const price = { name: 'price', description: 'In euros.', verified: true }
    const { user, field, server } = await start(NEW_FILTER, {
      'GET /api/projects/1/property_definitions': ({ query }: FakeRequest) =>
        byType(query, { event: pageOf<object>(price, { name: '$os' }) }),
    })

    await user.click(field('Property'))

    const option = await screen.findByRole('option', { name: 'price Verified' })
    expect(within(option).getByText('In euros.')).toBeTruthy()
    expect(screen.getByText('Operating system.')).toBeTruthy()
    const lists = server.requests.filter(({ path }) => path.endsWith('/property_definitions'))
    expect(lists.map(({ query }) => query.get('exclude_hidden'))).toEqual(['true', 'true', 'true'])
  })

  it('shows a known value in words and as it is stored', async () => {
    const { choose, filter } = await start(
      { key: '$referring_domain', type: 'event', operator: 'exact', value: null },
      { 'GET /api/projects/1/property_values': { results: [{ value: '$direct', count: 9 }] } },
    )

    await choose('Values', 'Direct $direct')

    expect(filter()).toMatchObject({ value: ['$direct'] })
    const [pill] = screen.getAllByText('Direct')
    expect(pill?.parentElement?.textContent).toBe('Direct $direct')
  })

  it('moves the focus to the next choice, and closes the list of values after one', async () => {
    const { user, field, choose, filter } = await start()
    expect(document.activeElement).toBe(field('Property'))

    await choose('Property', 'plan')
    await waitFor(() => expect(document.activeElement).toBe(field('Values')))
    await user.click(await screen.findByRole('option', { name: 'pro' }))
    await waitFor(() => expect(field('Values').getAttribute('aria-expanded')).toBe('false'))
    await choose('Operator', '> greater than')

    await waitFor(() => expect(document.activeElement).toBe(screen.getByLabelText('Value')))
    expect(filter()).toMatchObject({ key: 'plan', operator: 'gt', value: null })
  })

  it('lists properties once all have loaded, so that none moves', async () => {
    const { promise, resolve } = Promise.withResolvers<object>()
    const { user, field, server } = await start(NEW_FILTER, {
      'GET /api/projects/1/property_definitions': ({ query }: FakeRequest) =>
        byType<unknown>(query, { event: pageOf({ name: '$browser' }), person: promise }),
    })
    await user.click(field('Property'))
    await waitFor(() => expect(server.requests).toHaveLength(4)) // and the types of groups

    expect(await screen.findByText('Loading…')).toBeTruthy()
    expect(screen.queryAllByRole('option')).toEqual([])
    resolve(pageOf({ name: 'plan' }))

    expect(await screen.findByRole('option', { name: 'plan' })).toBeTruthy()
    expect(screen.getByRole('option', { name: 'Browser $browser' })).toBeTruthy()
  })

  it('accepts an unknown property name of an event or a person', async () => {
    const { user, field, filter } = await start()

    await fill(user, field('Property'), 'seats')
    await screen.findByRole('option', { name: 'Use “seats” as event property' })
    await user.click(screen.getByRole('option', { name: 'Use “seats” as person property' }))

    expect(filter()).toMatchObject({ key: 'seats', type: 'person' })
  })

  it('compares with a property of groups', async () => {
    const { choose, field, filter, user } = await start(NEW_FILTER, {
      'GET /api/projects/1/groups_types': [
        { group_type: 'company', group_type_index: 0, name_singular: null, name_plural: null },
        { group_type: 'team', group_type_index: 1, name_singular: 'Team', name_plural: null },
      ],
      'GET /api/projects/1/groups/property_definitions': { 1: [{ name: 'size', count: 1 }] },
      'GET /api/projects/1/groups/property_values': [],
    })

    await choose('Property', 'size')
    expect(filter()).toMatchObject({ key: 'size', type: 'group', group_type_index: 1 })
    await choose('Operator', 'is set')

    expect(filter()).toMatchObject({ key: 'size', group_type_index: 1, operator: 'is_set' })
    expect((field('Property') as HTMLInputElement).value).toBe('size')
    await user.clear(field('Property'))
    expect(await screen.findByText('Team properties')).toBeTruthy()
  })

  it('compares with a cohort', async () => {
    const { choose, filter } = await start()

    await choose('Property', 'Cohort')
    await choose('Operator', 'not in')
    await choose('Cohort', 'Paying')

    expect(filter()).toEqual({
      key: 'id',
      type: 'cohort',
      operator: 'not_in',
      value: 3,
      cohort_name: 'Paying',
    })
  })

  it('shows the name of a cohort that is not listed', async () => {
    const { field } = await start({ key: 'id', type: 'cohort', value: ['9'] })

    await waitFor(() => expect(field('Cohort').value).toBe('Old friends'))
    expect(field('Operator').value).toBe('in')
  })

  it('keeps a type that it does not offer', async () => {
    const { field, choose, filter } = await start({
      key: 'distinct_id',
      type: 'event_metadata',
      value: ['ada'],
    })
    expect(field('Property').value).toBe('Distinct ID')
    expect(field('Property').title).toBe('Event columns: distinct_id')

    await choose('Operator', 'is not')

    expect(filter()).toMatchObject({ key: 'distinct_id', type: 'event_metadata', value: ['ada'] })
  })
})
