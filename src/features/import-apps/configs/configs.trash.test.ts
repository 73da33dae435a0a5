import { describe, expect, it } from 'vitest'
import { CONFIGS, type TestApp, useApp } from '../../../../test/support/app/app.ts'
import { listActivity } from '../../../../test/support/data/activity.ts'
import { createConfig } from '../../../../test/support/data/configs.ts'

/** Returns the counts of the lists and the actual counts. */
async function counts(api: TestApp) {
  const live = await api.get(CONFIGS)
  const trash = await api.get(`${CONFIGS}?deleted=true`)
  expect(live.body.count).toBe(live.body.results.length)
  expect(trash.body.count).toBe(trash.body.results.length)
  return [live.body.count, trash.body.count]
}

describe('the trash of configs', () => {
  it('hides a config from the list, disables it and keeps it readable', async () => {
    const api = await useApp()
    const { id } = await createConfig(api, { plugin: 4, enabled: true })

    const { status, body } = await api.patch(`${CONFIGS}/${id}`, { deleted: true })

    expect(status).toBe(200)
    expect(body).toMatchObject({ deleted: true, enabled: false })
    expect((await api.get(CONFIGS)).body.results).toEqual([])
    expect((await api.get(`${CONFIGS}?deleted=true`)).body.results).toEqual([body])
    expect((await api.get(`${CONFIGS}/${id}`)).body).toEqual(body)
  })

  it('restores a config disabled', async () => {
    const api = await useApp()
    const { id } = await createConfig(api, { plugin: 4, enabled: true })
    await api.patch(`${CONFIGS}/${id}`, { deleted: true })

    const { body } = await api.patch(`${CONFIGS}/${id}`, { deleted: false })

    expect(body).toMatchObject({ deleted: false, enabled: false })
    expect((await api.get(CONFIGS)).body.results).toEqual([body])
  })

  it('restores a config enabled if enabled is sent', async () => {
    const api = await useApp()
    const { id } = await createConfig(api, { plugin: 4, deleted: true })

    const { body } = await api.patch(`${CONFIGS}/${id}`, { deleted: false, enabled: true })

    expect(body).toMatchObject({ deleted: false, enabled: true })
  })

  it('disables a config even if enabled is sent with deleted', async () => {
    const api = await useApp()
    const { id } = await createConfig(api, { plugin: 4 })

    const patched = await api.patch(`${CONFIGS}/${id}`, { deleted: true, enabled: true })
    const created = await api.post(CONFIGS, { plugin: 4, deleted: true, enabled: true })

    expect(patched.body).toMatchObject({ deleted: true, enabled: false })
    expect(created).toMatchObject({ status: 201, body: { deleted: true, enabled: false } })
  })

  it('refuses to enable a config', async () => {
    const api = await useApp()
    const before = await createConfig(api, { plugin: 4, deleted: true })

    const refused = await api.patch(`${CONFIGS}/${before.id}`, { enabled: true, name: 'x' })

    expect(refused).toMatchObject({ status: 409, body: { code: 'conflict' } })
    expect((await api.get(`${CONFIGS}/${before.id}`)).body).toEqual(before)
  })

  it('allows edits of other fields', async () => {
    const api = await useApp()
    const { id } = await createConfig(api, { plugin: 4, deleted: true })

    const { body } = await api.patch(`${CONFIGS}/${id}`, { name: 'x', enabled: false })

    expect(body).toMatchObject({ name: 'x', deleted: true })
  })

  it('is counted correctly after every change', { tags: 'sql' }, async () => {
    const api = await useApp()
    expect(await counts(api)).toEqual([0, 0])
    const [first, second, trashed] = [
      await createConfig(api, { plugin: 4 }),
      await createConfig(api, { plugin: 4 }),
      await createConfig(api, { plugin: 4, deleted: true }),
    ].map(({ id }) => `${CONFIGS}/${id}`) as [string, string, string]
    expect(await counts(api)).toEqual([2, 1])
    for (const _ of [1, 2]) await api.patch(first, { deleted: true })
    expect(await counts(api)).toEqual([1, 2])
    for (const _ of [1, 2]) await api.patch(trashed, { deleted: false })
    expect(await counts(api)).toEqual([2, 1])
    await api.delete(first)
    expect(await counts(api)).toEqual([2, 0])
    await api.delete(trashed)
    expect(await counts(api)).toEqual([1, 0])
    await api.patch(second, { deleted: true, enabled: 'x' })
    expect(await counts(api)).toEqual([1, 0])
  })
})

describe('deleting a config', () => {
  it.each([false, true])('is permanent when deleted is %s', async (deleted) => {
    const api = await useApp()
    const { id } = await createConfig(api, { plugin: 4, deleted })

    const { status, text, headers } = await api.delete(`${CONFIGS}/${id}`)

    expect([status, text, headers.get('content-type')]).toEqual([204, '', null])
    expect((await api.get(`${CONFIGS}/${id}`)).status).toBe(404)
    expect((await api.delete(`${CONFIGS}/${id}`)).status).toBe(404)
    expect((await api.patch(`${CONFIGS}/${id}`, { deleted: false })).status).toBe(404)
  })

  it('does not free its id', async () => {
    const api = await useApp()
    const { id } = await createConfig(api, { plugin: 4 })
    await api.delete(`${CONFIGS}/${id}`)

    expect((await createConfig(api, { plugin: 4 })).id).toBeGreaterThan(id)
  })

  it('deletes its runs and keeps its activity', { tags: 'sql' }, async () => {
    const api = await useApp()
    const { id } = await createConfig(api, { plugin: 4 })
    await api.post(`${CONFIGS}/${id}/job`)

    await api.delete(`${CONFIGS}/${id}`)

    const runs = api.db.selectFrom('runs').where('config_id', '=', id)
    expect(await runs.selectAll().execute()).toEqual([])
    expect((await listActivity(api)).map(({ activity }) => activity)).toEqual([
      'created',
      'job_triggered',
      'removed',
    ])
  })
})
