import { screen, waitFor, within } from '@testing-library/react'
import { describe, expect, it } from 'vitest'
import { fill } from '../../../test/fill.ts'
import { ME, pageOf } from '../../../test/fixtures.ts'
import { PERSONS, person } from '../../../test/persons.ts'
import { openPage } from '../../../test/render.tsx'
import { problem, type Routes } from '../../../test/server.ts'

const ada = person(1, {
  distinct_ids: ['ada', '0190-phone'],
  properties: { plan: 'pro', seats: 3 },
})
const PERSON = `${PERSONS}/${ada.uuid}`
const EVENTS = 'GET /api/projects/1/events'

const event = (name: string, timestamp: string) => ({
  id: `id of ${name}`,
  event: name,
  distinct_id: '0190-phone',
  timestamp,
  properties: { amount: 9 },
  created_at: timestamp,
})

const routes: Routes = {
  [`GET ${PERSON}`]: ada,
  [EVENTS]: { next: null, results: [event('signed up', '2026-01-05T10:00:00.000Z')] },
  'GET /api/projects/1/event_definitions': pageOf({ name: 'signed up' }, { name: 'paid' }),
  'GET /api/projects/1/property_definitions': pageOf(),
}

const open = (tab: string, more: Routes = {}) =>
  openPage(`/project/1/persons/${ada.uuid}?tab=${tab}`, { ...routes, ...more })

const queryOfEvents = ({ requests }: Awaited<ReturnType<typeof open>>['server']) =>
  requests.findLast(({ path }) => path.endsWith('/events'))?.query

describe('person page', () => {
  it('shows the events of all distinct IDs, filters them and opens one', async () => {
    const { user, server, address } = await openPage(`/project/1/persons/${ada.uuid}`, routes)
    expect(await screen.findByRole('heading', { name: 'ada@example.com', level: 1 })).toBeTruthy()
    await waitFor(() => expect(document.title).toBe('ada@example.com · Hedgerow'))
    const table = await screen.findByRole('table')
    expect(queryOfEvents(server)?.get('person_id')).toBe(ada.uuid)

    await user.click(within(table).getByRole('button', { name: 'signed up' }))
    expect(await screen.findByRole('dialog', { name: 'signed up' })).toBeTruthy()
    await user.keyboard('{Escape}')
    await user.click(screen.getByRole('combobox', { name: 'Event' }))
    await user.click(await screen.findByRole('option', { name: 'paid' }))

    await waitFor(() => expect(queryOfEvents(server)?.get('event')).toBe('paid'))
    expect(address()).toBe(`/project/1/persons/${ada.uuid}?event=paid`)
  })

  it('loads older events', async () => {
    const { user } = await openPage(`/project/1/persons/${ada.uuid}`, {
      ...routes,
      [EVENTS]: ({ query }: { query: URLSearchParams }) =>
        query.get('offset') === '0'
          ? { next: 'more', results: [event('newer', '2026-01-05T10:00:00.000Z')] }
          : { next: null, results: [event('older', '2026-01-04T10:00:00.000Z')] },
    })

    await user.click(await screen.findByRole('button', { name: 'Load older events' }))

    await waitFor(() =>
      expect(within(screen.getByRole('table')).getAllByRole('row')).toHaveLength(3),
    )
  })

  it('shows that the person does not exist', async () => {
    await open('events', { [`GET ${PERSON}`]: problem(404, 'Person not found.') })

    expect(await screen.findByRole('heading', { name: 'Person not found' })).toBeTruthy()
    expect(screen.getByRole('link', { name: 'Show all persons' })).toBeTruthy()
  })
})

describe('properties of a person', () => {
  const UPDATE = `POST ${PERSON}/update_property`
  const DELETE = `POST ${PERSON}/delete_property`

  it('are added with their type', async () => {
    const { user, server } = await open('properties', {
      [UPDATE]: { ...ada, properties: { ...ada.properties, rating: 4.5 } },
      [DELETE]: ada,
    })

    await user.click(await screen.findByRole('button', { name: 'Add property' }))
    const dialog = within(await screen.findByRole('dialog', { name: 'Add property' }))
    await fill(user, dialog.getByRole('textbox', { name: 'Name' }), 'rating')
    await user.click(dialog.getByRole('radio', { name: 'Number' }))
    await fill(user, dialog.getByRole('textbox', { name: 'Value' }), 'high')
    await user.click(dialog.getByRole('button', { name: 'Add property' }))
    expect(await dialog.findByText('Enter a number.')).toBeTruthy()
    await user.clear(dialog.getByRole('textbox', { name: 'Value' }))
    await fill(user, dialog.getByRole('textbox', { name: 'Value' }), '4.5')
    await user.click(dialog.getByRole('button', { name: 'Add property' }))

    expect(await screen.findByRole('button', { name: 'Edit rating' })).toBeTruthy()
    expect(server.bodiesOf(UPDATE)).toEqual([{ key: 'rating', value: 4.5 }])
    await user.click(await screen.findByRole('button', { name: 'Undo' }))
    await waitFor(() => expect(server.bodiesOf(DELETE)).toEqual([{ $unset: 'rating' }]))
  })

  it('are edited, and the edit is undone', async () => {
    const { user, server } = await open('properties', {
      [UPDATE]: ({ body }: { body: unknown }) => {
        const { key, value } = body as { key: string; value: unknown }
        return { ...ada, properties: { ...ada.properties, [key]: value } }
      },
    })

    await user.click(await screen.findByRole('button', { name: 'Edit plan' }))
    const dialog = within(await screen.findByRole('dialog', { name: 'Edit property' }))
    await user.clear(dialog.getByRole('textbox', { name: 'Value' }))
    await fill(user, dialog.getByRole('textbox', { name: 'Value' }), 'team')
    await user.click(dialog.getByRole('button', { name: 'Save' }))
    expect(await screen.findByText('team')).toBeTruthy()
    await user.click(await screen.findByRole('button', { name: 'Undo' }))

    expect(await screen.findByText('pro')).toBeTruthy()
    expect(server.bodiesOf(UPDATE)).toEqual([
      { key: 'plan', value: 'team' },
      { key: 'plan', value: 'pro' },
    ])
  })

  it('are deleted and restored with their type', async () => {
    const { user, server } = await open('properties', {
      [DELETE]: { ...ada, properties: { plan: 'pro' } },
      [UPDATE]: ada,
    })

    await user.click(await screen.findByRole('button', { name: 'Delete seats' }))
    await waitFor(() => expect(screen.queryByText('seats')).toBeNull())
    await user.click(await screen.findByRole('button', { name: 'Undo' }))

    expect(await screen.findByText('seats')).toBeTruthy()
    expect(server.bodiesOf(UPDATE)).toEqual([{ key: 'seats', value: 3 }])
  })
})

describe('distinct IDs of a person', () => {
  it('are split after a confirmation', async () => {
    const { user, server } = await open('ids', { [`POST ${PERSON}/split`]: { success: true } })
    const list = await screen.findByRole('list', { name: 'Distinct IDs' })
    expect(within(list).getAllByRole('listitem')).toHaveLength(2)

    await user.click(screen.getByRole('button', { name: 'Split person…' }))
    const dialog = within(await screen.findByRole('dialog', { name: 'Split ada@example.com?' }))
    expect(dialog.getByText(/becomes a person of its own/)).toBeTruthy()
    server.reply({ [`GET ${PERSON}`]: { ...ada, distinct_ids: ['ada'] } })
    await user.click(dialog.getByRole('button', { name: 'Split person' }))

    await waitFor(() => expect(within(list).getAllByRole('listitem')).toHaveLength(1))
    expect(server.bodiesOf(`POST ${PERSON}/split`)).toEqual([{ main_distinct_id: 'ada' }])
    expect(screen.queryByRole('button', { name: 'Split person…' })).toBeNull()
  })
})

describe('deleting a person', () => {
  const DELETE = `DELETE ${PERSON}`

  it('can delete the events too, and returns to the list', async () => {
    const { user, server, address } = await open('ids', {
      [DELETE]: new Response(null, { status: 204 }),
      [`GET ${PERSONS}`]: pageOf(),
    })

    await user.click(await screen.findByRole('button', { name: 'Delete person…' }))
    const dialog = within(await screen.findByRole('dialog', { name: 'Delete ada@example.com?' }))
    expect(dialog.getByText(/The events stay/)).toBeTruthy()
    await user.click(dialog.getByRole('checkbox', { name: 'Also delete the events' }))
    await user.click(dialog.getByRole('button', { name: 'Delete person and events' }))

    await waitFor(() => expect(address()).toBe('/project/1/persons'))
    const sent = server.requests.find(({ method }) => method === 'DELETE')
    expect(sent?.query.get('delete_events')).toBe('true')
  })

  it('shows the error of the server in the dialog', async () => {
    const { user } = await open('ids', { [DELETE]: problem(503, 'Try again later.') })

    await user.click(await screen.findByRole('button', { name: 'Delete person…' }))
    const dialog = within(await screen.findByRole('dialog'))
    await user.click(dialog.getByRole('button', { name: 'Delete person' }))

    expect(await dialog.findByText('Try again later.')).toBeTruthy()
  })

  it('is not offered to members', async () => {
    const organization = { ...ME.organization, membership_level: 1 }
    await open('ids', { 'GET /api/users/@me': { ...ME, organization } })
    await screen.findByRole('list', { name: 'Distinct IDs' })

    expect(screen.queryByRole('button', { name: 'Delete person…' })).toBeNull()
    expect(screen.getByRole('button', { name: 'Split person…' })).toBeTruthy()
  })
})
