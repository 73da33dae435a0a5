import { describe, expect, it } from 'vitest'
import { type TestApp, useApp } from '../../../../test/support/app/app.ts'

const ACTIONS = 'actions'
const SIGN_UP = { event: 'signed up' }

const stepOf = (step: object) => ({
  ...{ event: null, url: null, url_matching: null, text: null, text_matching: null },
  properties: [],
  ...step,
})

async function create(api: TestApp, body: object = {}) {
  const created = await api.post(ACTIONS, { name: 'Joined', steps: [SIGN_UP], ...body })
  expect(created.status, created.text).toBe(201)
  return created.body
}

describe('actions', () => {
  it('are created and read back', { tags: 'sql' }, async () => {
    const api = await useApp()
    const steps = [
      { event: '$pageview', url: '/welcome', url_matching: null, selector: null, href: '' },
      { event: '$autocapture', text: 'Join', properties: [{ key: 'plan', value: 'pro' }] },
    ]

    const body = await create(api, { name: ' Joined ', description: 'New', tags: ['a'], steps })

    expect(body).toEqual({
      id: expect.any(Number),
      name: 'Joined',
      description: 'New',
      tags: ['a'],
      steps: [
        stepOf({ event: '$pageview', url: '/welcome', url_matching: 'contains' }),
        stepOf({
          ...{ event: '$autocapture', text: 'Join', text_matching: 'exact' },
          properties: [{ key: 'plan', value: 'pro' }],
        }),
      ],
      created_at: expect.stringMatching(/Z$/),
      created_by: expect.objectContaining({ id: 1 }),
      deleted: false,
      is_calculating: false,
      is_action: true,
      post_to_slack: false,
    })
    expect((await api.get(`${ACTIONS}/${body.id}`)).body).toEqual(body)
  })

  it('that are sent back as they were read do not change', async () => {
    const api = await useApp()
    const action = await create(api)

    const { status, body } = await api.patch(`${ACTIONS}/${action.id}`, action)

    expect(status).toBe(200)
    expect(body).toEqual(action)
    const activity = await api.get(`${ACTIONS}/${action.id}/activity`)
    expect(activity.body.results).toMatchObject([{ activity: 'created' }])
  })

  it('change only in the fields sent, and log it', async () => {
    const api = await useApp()
    const { id } = await create(api)

    const { body } = await api.patch(`${ACTIONS}/${id}`, { description: 'Everyone new' })

    expect(body).toMatchObject({ name: 'Joined', description: 'Everyone new' })
    expect(body.steps).toEqual([stepOf(SIGN_UP)])
    const [entry] = (await api.get(`${ACTIONS}/${id}/activity`)).body.results
    expect(entry).toMatchObject({
      ...{ scope: 'Action', activity: 'updated' },
      detail: { name: 'Joined', changes: [{ field: 'description', after: 'Everyone new' }] },
    })
  })

  it('are listed by name, and searched', { tags: 'sql' }, async () => {
    const api = await useApp()
    for (const name of ['beta', 'Alpha', 'gamma']) await create(api, { name })
    const list = async (query = '') => {
      const { body } = await api.get(`${ACTIONS}${query}`)
      return [body.count, ...body.results.map(({ name }: { name: string }) => name)]
    }

    expect(await list()).toEqual([3, 'Alpha', 'beta', 'gamma'])
    expect(await list('?search=ALPH')).toEqual([1, 'Alpha'])
    expect(await list('?limit=1&offset=1')).toEqual([3, 'beta'])
    expect(await list('?offset=9')).toEqual([3])
  })

  it('go to the trash, free their name and come back', async () => {
    const api = await useApp()
    const first = await create(api)

    await api.patch(`${ACTIONS}/${first.id}`, { deleted: true })
    const second = await create(api)

    const listed = await api.get(`${ACTIONS}?deleted=true`)
    expect(listed.body.results).toMatchObject([{ id: first.id, deleted: true }])
    const restored = await api.patch(`${ACTIONS}/${first.id}`, { deleted: false })
    expect(restored).toMatchObject({ status: 400, body: { attr: 'name' } })
    expect((await api.get(`${ACTIONS}/${first.id}`)).body.deleted).toBe(true)
    await api.patch(`${ACTIONS}/${second.id}`, { name: 'Other' })
    expect((await api.patch(`${ACTIONS}/${first.id}`, { deleted: false })).status).toBe(200)
    expect((await api.delete(`${ACTIONS}/${first.id}`)).status).toBe(405)
  })

  it('are not seen by another project', async () => {
    const api = await useApp()
    const other = await useApp()
    const { id } = await create(other)

    expect((await api.get(`${ACTIONS}/${id}`)).status).toBe(404)
    expect((await api.patch(`${ACTIONS}/${id}`, { name: 'x' })).status).toBe(404)
    expect((await api.get(`${ACTIONS}/${id}/activity`)).status).toBe(404)
    expect((await api.get(ACTIONS)).body.count).toBe(0)
    expect((await api.get(`events?action_id=${id}`)).body.attr).toBe('action_id')
  })

  it('refuse what they cannot apply, by name, and stay as they were', async () => {
    const api = await useApp()
    const action = await create(api)
    const refusals: [string, object][] = [
      ['name', { name: ' ' }],
      ['name', { name: 'x'.repeat(401) }],
      ['steps', { steps: 'none' }],
      ['steps__0', { steps: [{}] }],
      ['steps__0', { steps: [{ url_matching: 'exact' }] }],
      ['steps__0__selector', { steps: [{ event: '$autocapture', selector: '.buy' }] }],
      ['steps__0__tag_name', { steps: [{ event: '$autocapture', tag_name: 'button' }] }],
      ['steps__0__href', { steps: [{ event: '$autocapture', href: '/buy' }] }],
      ['steps__1__url_matching', { steps: [SIGN_UP, { url: '/', url_matching: 'like' }] }],
      ['steps__0__url', { steps: [{ url: '(', url_matching: 'regex' }] }],
      ['steps__0__text', { steps: [{ text: '[', text_matching: 'regex' }] }],
      ['steps__0__properties__0__value', { steps: [{ properties: [{ key: 'a' }] }] }],
      [
        'steps__0__properties__0__value',
        { steps: [{ properties: [{ key: 'id', type: 'cohort', value: 999_999 }] }] },
      ],
      [
        'steps__0__properties__0__group_type_index',
        { steps: [{ properties: [{ key: 'a', type: 'group', group_type_index: 4, value: 1 }] }] },
      ],
      ['post_to_slack', { post_to_slack: true }],
    ]

    for (const [attr, body] of refusals) {
      const patched = await api.patch(`${ACTIONS}/${action.id}`, body)
      expect(patched, JSON.stringify(body)).toMatchObject({ status: 400, body: { attr } })
      const created = await api.post(ACTIONS, { name: 'Another', ...body })
      expect(created, JSON.stringify(body)).toMatchObject({ status: 400, body: { attr } })
    }

    expect(await api.post(ACTIONS, { name: 'Joined' })).toMatchObject({ body: { attr: 'name' } })
    expect((await api.get(ACTIONS)).body.results).toEqual([action])
  })

  it('need action:write to be changed', async () => {
    const api = await useApp()
    const { id } = await create(api)
    const reader = await api.as({ scopes: ['action:read'] })

    expect((await reader.get(`${ACTIONS}/${id}`)).status).toBe(200)
    expect((await reader.post(ACTIONS, { name: 'x' })).status).toBe(403)
    expect((await reader.patch(`${ACTIONS}/${id}`, { name: 'x' })).status).toBe(403)
  })
})
