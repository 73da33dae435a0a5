import { describe, expect, it } from 'vitest'
import { type Client, CONFIGS, useApp } from '../../../../test/support/app/app.ts'
import { createConfig } from '../../../../test/support/data/configs.ts'

const ACCEPT_JSON = { accept: 'application/json' }

async function listActivities(api: Client, id: number): Promise<string[]> {
  const { body } = await api.get(`${CONFIGS}/${id}/activity`, ACCEPT_JSON)
  return body.results.map(({ activity }: { activity: string }) => activity)
}

describe('the activity of a config', () => {
  it('lists who changed what, newest first', async () => {
    const api = await useApp()
    const { id } = await createConfig(api, { plugin: 4 })
    await api.patch(`${CONFIGS}/${id}`, { name: 'Mine' })

    const { body } = await api.get(`${CONFIGS}/${id}/activity`, ACCEPT_JSON)

    expect(body).toMatchObject({ count: 2, next: null, previous: null })
    expect(body.results[0]).toEqual({
      id: expect.any(Number),
      user: { first_name: 'Owner', email: 'owner@example.com' },
      activity: 'updated',
      scope: 'PluginConfig',
      item_id: String(id),
      detail: {
        name: 'Demo data',
        changes: [{ type: 'Plugin', action: 'created', field: 'name', before: '', after: 'Mine' }],
        trigger: null,
        type: null,
        short_id: null,
      },
      created_at: expect.any(String),
    })
    expect(body.results[1]).toMatchObject({ activity: 'created' })
    expect(body.results[0].id).toBeGreaterThan(body.results[1].id)
  })

  it.each([
    ['created enabled', { enabled: true }, undefined, ['created', 'enabled']],
    ['created in the trash', { deleted: true, enabled: true }, undefined, ['created', 'deleted']],
    ['enabled', {}, { enabled: true }, ['created', 'enabled']],
    ['disabled', { enabled: true }, { enabled: false }, ['created', 'enabled', 'disabled']],
    ['trashed', {}, { deleted: true }, ['created', 'deleted']],
    ['restored', { deleted: true }, { deleted: false }, ['created', 'deleted', 'restored']],
    [
      'patched with equal values',
      { name: 'a' },
      { name: 'a', plugin: 4, enabled: false },
      ['created'],
    ],
    ['patched with an empty body', {}, {}, ['created']],
    ['moved and enabled', {}, { order: 9, enabled: true }, ['created', 'updated', 'enabled']],
  ])('has an entry per step of a config that is %s', async (_, created, patch, expected) => {
    const api = await useApp()
    const { id } = await createConfig(api, { plugin: 4, ...created })
    if (patch) await api.patch(`${CONFIGS}/${id}`, patch)

    expect(await listActivities(api, id)).toEqual(expected.toReversed())
  })

  it('logs the trashing of an enabled config as two changes', async () => {
    const api = await useApp()
    const { id } = await createConfig(api, { plugin: 4, enabled: true })
    await api.patch(`${CONFIGS}/${id}`, { deleted: true })

    expect((await listActivities(api, id)).slice(0, 2)).toEqual(['deleted', 'disabled'])
  })

  it('names each field that changed', async () => {
    const api = await useApp()
    const { id } = await createConfig(api, { plugin: 4, order: 1 })
    await api.patch(`${CONFIGS}/${id}`, { plugin: 99, order: 2, description: 'd' })

    const { body } = await api.get(`${CONFIGS}/${id}/activity`, ACCEPT_JSON)

    expect(body.results[0].detail).toMatchObject({
      name: '',
      changes: [
        { action: 'changed', field: 'plugin', before: 4, after: 99 },
        { action: 'changed', field: 'order', before: 1, after: 2 },
        { action: 'created', field: 'description', before: '', after: 'd' },
      ],
    })
  })

  it('does not log refused requests', async () => {
    const api = await useApp()
    const { id } = await createConfig(api, { plugin: 4, deleted: true })

    await api.patch(`${CONFIGS}/${id}`, { enabled: true, name: 'x' })
    await api.post(`${CONFIGS}/${id}/job`)

    expect(await listActivities(api, id)).toEqual(['deleted', 'created'])
  })

  it('is paginated and belongs to one config', async () => {
    const api = await useApp()
    const { id } = await createConfig(api, { plugin: 4 })
    const other = await createConfig(api, { plugin: 4 })
    for (const name of ['a', 'b']) await api.patch(`${CONFIGS}/${id}`, { name })
    const path = `${CONFIGS}/${id}/activity`

    const { body } = await api.get(`${path}?limit=1&offset=1`, ACCEPT_JSON)

    expect(body).toMatchObject({
      count: 3,
      next: api.address(`${path}?limit=1&offset=2`),
      previous: api.address(`${path}?limit=1`),
      results: [{ detail: { changes: [{ after: 'a' }] } }],
    })
    expect(await listActivities(api, other.id)).toEqual(['created'])
    expect((await api.get(`${path}?offset=9`, ACCEPT_JSON)).body.count).toBe(3)
  })
})
