import { screen, within } from '@testing-library/react'
import { describe, expect, it } from 'vitest'
import type { Action } from '#server/features/events/actions/schema.ts'
import { fill } from '../../test/fill.ts'
import { ME, pageOf } from '../../test/fixtures.ts'
import { openPage } from '../../test/render.tsx'
import { problem, type Routes } from '../../test/server.ts'

const ACTIONS = '/api/projects/1/actions'
const CREATE = `POST ${ACTIONS}`
const EVENTS = 'GET /api/projects/1/events'

const action = (fields: Partial<Action> = {}): Action => ({
  id: 7,
  name: 'Bought',
  description: '',
  tags: [],
  steps: [{ event: 'paid' }, { text: 'Buy', text_matching: 'exact' }],
  created_at: '2026-01-05T10:00:00.000Z',
  created_by: ME,
  deleted: false,
  is_calculating: false,
  is_action: true,
  post_to_slack: false,
  ...fields,
})

const routes: Routes = {
  [`GET ${ACTIONS}`]: pageOf(action()),
  [`GET ${ACTIONS}/7`]: action(),
  'GET /api/projects/1/event_definitions': pageOf({ name: 'paid' }),
  'GET /api/projects/1/property_definitions': pageOf(),
  'GET /api/projects/1/persons': pageOf(),
  [EVENTS]: { next: null, results: [] },
  [CREATE]: action(),
  [`PATCH ${ACTIONS}/7`]: action(),
}

describe('actions', () => {
  it('are listed with what they match', async () => {
    await openPage('/project/1/actions', routes)

    const row = within(await screen.findByRole('listitem'))
    expect(row.getByRole('link', { name: 'Bought' }).getAttribute('href')).toBe(
      '/project/1/actions/7',
    )
    expect(row.getByText('paid, or Any event where text is “Buy”')).toBeTruthy()
  })

  it('show the matching events of what is typed, and are created', async () => {
    const { user, server } = await openPage('/project/1/actions/new', routes)
    await screen.findByText('Choose an event, or type a URL or text, to see what matches.')
    const create = screen.getByRole('button', { name: 'Create action' })
    expect(create).toHaveProperty('disabled', true)

    await fill(user, screen.getByRole('textbox', { name: 'Name' }), 'Visited')
    await fill(user, screen.getByRole('textbox', { name: 'URL' }), '/shop')

    await screen.findByText('No event matches yet.')
    const listed = server.requests.findLast(({ path }) => path === '/api/projects/1/events')
    expect(JSON.parse(listed?.query.get('properties') ?? '')).toEqual({
      type: 'OR',
      values: [
        {
          type: 'AND',
          values: [{ type: 'event', key: '$current_url', operator: 'icontains', value: '/shop' }],
        },
      ],
    })
    await user.click(create)
    await expect
      .poll(() => server.bodiesOf(CREATE))
      .toEqual([{ name: 'Visited', description: '', steps: [{ url: '/shop' }] }])
  })

  it('show a refusal at its step', async () => {
    const refused = {
      ...routes,
      [`PATCH ${ACTIONS}/7`]: problem(400, 'Too odd.', 'steps__1__text'),
    }
    const { user } = await openPage('/project/1/actions/7', refused)
    await screen.findByRole('heading', { name: 'Bought' })

    await user.click(screen.getByRole('button', { name: 'Save' }))

    const step = within(screen.getByRole('group', { name: 'Step 2' }))
    expect(await step.findByText('Too odd.')).toBeTruthy()
    expect(within(screen.getByRole('group', { name: 'Step 1' })).queryByText('Too odd.')).toBeNull()
  })
})
