import { screen, waitFor, within } from '@testing-library/react'
import { describe, expect, it } from 'vitest'
import type { Cohort } from '#server/features/events/cohorts/schema.ts'
import { fill } from '../../test/fill.ts'
import { ME, pageOf } from '../../test/fixtures.ts'
import { PERSONS, person } from '../../test/persons.ts'
import { openPage } from '../../test/render.tsx'
import { type FakeRequest, problem, type Routes } from '../../test/server.ts'

const COHORTS = '/api/projects/1/cohorts'
const CREATE = `POST ${COHORTS}`
const COUNT = `POST ${COHORTS}/count`

const cohort = (fields: Partial<Cohort> = {}): Cohort => ({
  id: 7,
  name: 'Paying',
  description: '',
  is_static: false,
  count: 2,
  filters: {
    properties: {
      type: 'AND',
      values: [{ type: 'person', key: 'plan', operator: 'exact', value: ['pro'] }],
    },
  },
  deleted: false,
  is_calculating: false,
  created_at: '2026-01-05T10:00:00.000Z',
  created_by: ME,
  ...fields,
})

const ada = person(1, { properties: { plan: 'pro' } })

const routes: Routes = {
  [`GET ${COHORTS}`]: pageOf(cohort()),
  [`GET ${COHORTS}/7`]: cohort(),
  [`GET ${COHORTS}/7/persons`]: pageOf(ada),
  [`GET ${PERSONS}`]: pageOf(ada),
  'GET /api/projects/1/property_definitions': ({ query }: FakeRequest) =>
    query.get('type') === 'person' ? pageOf({ name: 'plan' }, { name: 'city' }) : pageOf(),
  'GET /api/projects/1/property_values': { results: [{ value: 'pro', count: 2 }] },
  'GET /api/projects/1/event_definitions': pageOf({ name: 'paid' }),
  [COUNT]: { count: 2 },
  [CREATE]: cohort(),
}

async function startCreating() {
  const opened = await openPage('/project/1/cohorts', routes)
  await opened.user.click(await screen.findByRole('button', { name: 'New cohort' }))
  const dialog = within(await screen.findByRole('dialog', { name: 'New cohort' }))
  await fill(opened.user, dialog.getByRole('textbox', { name: 'Name' }), 'Paying')
  const create = () => opened.user.click(dialog.getByRole('button', { name: 'Create cohort' }))
  const chooseProperty = async (name: string) => {
    await opened.user.click(dialog.getByRole('combobox', { name: 'Property' }))
    await opened.user.click(await screen.findByRole('option', { name }))
  }
  return { ...opened, dialog, chooseProperty, create }
}

describe('cohorts page', () => {
  it('lists cohorts with the number of their persons', async () => {
    await openPage('/project/1/cohorts', routes)

    const row = within(await screen.findByRole('listitem'))
    expect(row.getByRole('link', { name: 'Paying' }).getAttribute('href')).toBe(
      '/project/1/cohorts/7',
    )
    expect(row.getByText('2 persons')).toBeTruthy()
    expect(row.getByText('Dynamic')).toBeTruthy()
  })

  it('creates a dynamic cohort by person properties and opens it', async () => {
    const { user, server, dialog, chooseProperty, create, address } = await startCreating()

    await chooseProperty('plan')
    await fill(user, dialog.getByRole('combobox', { name: 'Values' }), 'pro')
    await create()

    await waitFor(() => expect(address()).toBe('/project/1/cohorts/7'))
    const condition = { type: 'person', key: 'plan', operator: 'exact', value: ['pro'] }
    expect(server.bodiesOf(CREATE)).toEqual([
      { name: 'Paying', filters: { properties: { type: 'AND', values: [condition] } } },
    ])
    expect(await screen.findByRole('link', { name: 'ada@example.com' })).toBeTruthy()
  })

  it('creates a cohort by behavior, and counts its persons before', async () => {
    const { user, server, dialog, create } = await startCreating()
    expect(dialog.getByText('Complete the conditions to count the persons.')).toBeTruthy()

    await user.click(dialog.getByRole('combobox', { name: 'Condition' }))
    await user.click(await screen.findByRole('option', { name: 'Did an event' }))
    await user.click(dialog.getByRole('combobox', { name: 'Event' }))
    await user.click(await screen.findByRole('option', { name: 'paid' }))
    await user.clear(dialog.getByRole('textbox', { name: 'Times' }))
    await fill(user, dialog.getByRole('textbox', { name: 'Times' }), '3')

    const condition = {
      type: 'behavioral',
      key: 'paid',
      value: 'performed_event_multiple',
      operator: 'gte',
      operator_value: 3,
      time_value: 30,
      time_interval: 'day',
    }
    const filters = { properties: { type: 'AND', values: [condition] } }
    expect(await dialog.findByText('Matches 2 persons now.')).toBeTruthy()
    await waitFor(() => expect(server.bodiesOf(COUNT).at(-1)).toEqual({ filters }))
    await create()
    await waitFor(() => expect(server.bodiesOf(CREATE)).toEqual([{ name: 'Paying', filters }]))
  })

  it('creates a static cohort from a pasted list', async () => {
    const { user, server, dialog, create } = await startCreating()

    await user.click(dialog.getByRole('radio', { name: 'List' }))
    await fill(user, dialog.getByRole('textbox', { name: 'Distinct IDs' }), 'ada\n bob \n\nada')
    await create()

    await waitFor(() =>
      expect(server.bodiesOf(CREATE)).toEqual([
        { name: 'Paying', is_static: true, distinct_ids: ['ada', 'bob'] },
      ]),
    )
  })

  it('creates a static cohort from a CSV file', async () => {
    const { user, server, dialog, create } = await startCreating()
    const file = new File(['distinct_id\nada'], 'members.csv', { type: 'text/csv' })

    await user.click(dialog.getByRole('radio', { name: 'List' }))
    await user.upload(dialog.getByLabelText('CSV file'), file)
    expect(await dialog.findByText('members.csv')).toBeTruthy()
    await create()

    await waitFor(() => expect(server.bodiesOf(CREATE)).toHaveLength(1))
    const [form] = server.bodiesOf(CREATE) as [FormData]
    expect([form.get('name'), form.get('is_static')]).toEqual(['Paying', 'true'])
    expect((form.get('csv') as File).name).toBe('members.csv')
  })

  it('explains why a cohort is refused', async () => {
    const { server, dialog, chooseProperty, create } = await startCreating()
    server.reply({ [CREATE]: problem(400, 'A group has 1 to 100 conditions.', 'filters') })

    await chooseProperty('plan')
    await create()

    expect(await dialog.findByText('A group has 1 to 100 conditions.')).toBeTruthy()
  })
})

describe('cohort page', () => {
  it('says who is in it, with the names of other cohorts', async () => {
    const filters = {
      properties: {
        type: 'AND',
        values: [
          { type: 'person', key: 'plan', operator: 'exact', value: ['pro'] },
          { type: 'cohort', key: 'id', value: 9, negation: true },
        ],
      },
    }
    await openPage('/project/1/cohorts/7', {
      ...routes,
      [`GET ${COHORTS}/7`]: cohort({ filters }),
      [`GET ${COHORTS}/9`]: cohort({ id: 9, name: 'Staff' }),
    })

    const words = 'Persons whose plan is pro and not in cohort “Staff”.'
    expect(await screen.findByText(words)).toBeTruthy()
  })

  const UPDATE = `PATCH ${COHORTS}/7`

  it('edits the conditions', async () => {
    const { user, server } = await openPage('/project/1/cohorts/7', {
      ...routes,
      [UPDATE]: cohort({ name: 'Customers' }),
    })

    await user.click(await screen.findByRole('button', { name: 'Edit cohort' }))
    const dialog = within(await screen.findByRole('dialog', { name: 'Edit cohort' }))
    await user.click(dialog.getByRole('button', { name: 'Remove condition' }))
    await user.click(dialog.getByRole('button', { name: 'Add condition' }))
    await user.click(dialog.getByRole('combobox', { name: 'Property' }))
    await user.click(await screen.findByRole('option', { name: 'city' }))
    await user.click(dialog.getByRole('button', { name: 'Save' }))

    expect(await screen.findByRole('heading', { name: 'Customers', level: 1 })).toBeTruthy()
    expect(server.bodiesOf(UPDATE)).toMatchObject([
      { filters: { properties: { values: [{ type: 'person', key: 'city' }] } } },
    ])
  })

  it('keeps conditions that the form cannot edit', async () => {
    const filters = {
      properties: {
        type: 'AND',
        values: [{ type: 'behavioral', key: 'paid', value: 'performed_event' }],
      },
    }
    const { user, server } = await openPage('/project/1/cohorts/7', {
      ...routes,
      [`GET ${COHORTS}/7`]: cohort({ filters }),
      [UPDATE]: cohort({ filters }),
    })

    await user.click(await screen.findByRole('button', { name: 'Edit cohort' }))
    const dialog = within(await screen.findByRole('dialog', { name: 'Edit cohort' }))
    expect(dialog.getByText(/can be edited over the API/)).toBeTruthy()
    await user.click(dialog.getByRole('button', { name: 'Save' }))

    await waitFor(() =>
      expect(server.bodiesOf(UPDATE)).toEqual([{ name: 'Paying', description: '' }]),
    )
  })

  it('moves to the trash, and back', async () => {
    const { user, server } = await openPage('/project/1/cohorts/7', {
      ...routes,
      [UPDATE]: ({ body }: { body: unknown }) => cohort(body as Partial<Cohort>),
    })

    await user.click(await screen.findByRole('button', { name: 'Move to trash' }))
    expect(await screen.findByText('In the trash')).toBeTruthy()
    await user.click(await screen.findByRole('button', { name: 'Undo' }))

    await waitFor(() => expect(screen.queryByText('In the trash')).toBeNull())
    expect(server.bodiesOf(UPDATE)).toEqual([{ deleted: true }, { deleted: false }])
  })
})
