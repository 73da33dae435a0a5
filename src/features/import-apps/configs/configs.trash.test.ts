import { describe, expect, it } from 'vitest'
import { CONFIGS, startApp, type TestApp } from '../../../../test/app.ts'

/** Returns the counts of the lists and the actual counts. */
async function counts(api: TestApp) {
  const live = await api.get(CONFIGS)
  const trash = await api.get(`${CONFIGS}?deleted=true`)
  expect(live.body.count).toBe(live.body.results.length)
  expect(trash.body.count).toBe(trash.body.results.length)
  return [live.body.count, trash.body.count]
}

describe('the trash', () => {
  it('takes a config out of the list and disables it, but keeps it', async () => {
    const api = await startApp()
    await api.post(CONFIGS, { plugin: 4, enabled: true })

    const { status, body } = await api.patch(`${CONFIGS}/1`, { deleted: true })

    expect(status).toBe(200)
    expect(body).toMatchObject({ deleted: true, enabled: false })
    expect((await api.get(CONFIGS)).body.results).toEqual([])
    expect((await api.get(`${CONFIGS}?deleted=true`)).body.results).toEqual([body])
    expect((await api.get(`${CONFIGS}/1`)).body).toEqual(body)
  })

  it('gives it back disabled', async () => {
    const api = await startApp()
    await api.post(CONFIGS, { plugin: 4, enabled: true })
    await api.patch(`${CONFIGS}/1`, { deleted: true })

    const { body } = await api.patch(`${CONFIGS}/1`, { deleted: false })

    expect(body).toMatchObject({ deleted: false, enabled: false })
    expect((await api.get(CONFIGS)).body.results).toEqual([body])
  })

  it('gives it back enabled when that is asked for', async () => {
    const api = await startApp()
    await api.post(CONFIGS, { plugin: 4, deleted: true })

    const { body } = await api.patch(`${CONFIGS}/1`, { deleted: false, enabled: true })

    expect(body).toMatchObject({ deleted: false, enabled: true })
  })

  it('disables even if the same request says enabled', async () => {
    const api = await startApp()
    await api.post(CONFIGS, { plugin: 4 })

    const patched = await api.patch(`${CONFIGS}/1`, { deleted: true, enabled: true })
    const created = await api.post(CONFIGS, { plugin: 4, deleted: true, enabled: true })

    expect(patched.body).toMatchObject({ deleted: true, enabled: false })
    expect(created).toMatchObject({ status: 201, body: { deleted: true, enabled: false } })
  })

  it('refuses to enable what is in it', async () => {
    const api = await startApp()
    const { body: before } = await api.post(CONFIGS, { plugin: 4, deleted: true })

    const refused = await api.patch(`${CONFIGS}/1`, { enabled: true, name: 'x' })

    expect(refused).toMatchObject({ status: 409, body: { code: 'conflict' } })
    expect((await api.get(`${CONFIGS}/1`)).body).toEqual(before)
  })

  it('lets other fields change', async () => {
    const api = await startApp()
    await api.post(CONFIGS, { plugin: 4, deleted: true })

    const { body } = await api.patch(`${CONFIGS}/1`, { name: 'x', enabled: false })

    expect(body).toMatchObject({ name: 'x', deleted: true })
  })

  it('is counted right through every way in and out', async () => {
    const api = await startApp()
    expect(await counts(api)).toEqual([0, 0])
    for (const deleted of [false, false, true]) await api.post(CONFIGS, { plugin: 4, deleted })
    expect(await counts(api)).toEqual([2, 1])
    for (const _ of [1, 2]) await api.patch(`${CONFIGS}/1`, { deleted: true })
    expect(await counts(api)).toEqual([1, 2])
    for (const _ of [1, 2]) await api.patch(`${CONFIGS}/3`, { deleted: false })
    expect(await counts(api)).toEqual([2, 1])
    await api.delete(`${CONFIGS}/1`)
    expect(await counts(api)).toEqual([2, 0])
    await api.delete(`${CONFIGS}/3`)
    expect(await counts(api)).toEqual([1, 0])
    await api.patch(`${CONFIGS}/2`, { deleted: true, enabled: 'x' })
    expect(await counts(api)).toEqual([1, 0])
  })
})

describe('removing for good', () => {
  it.each([false, true])('works when deleted is %s', async (deleted) => {
    const api = await startApp()
    await api.post(CONFIGS, { plugin: 4, deleted })

    const { status, text, headers } = await api.delete(`${CONFIGS}/1`)

    expect([status, text, headers.get('content-type')]).toEqual([204, '', null])
    expect((await api.get(`${CONFIGS}/1`)).status).toBe(404)
    expect((await api.delete(`${CONFIGS}/1`)).status).toBe(404)
    expect((await api.patch(`${CONFIGS}/1`, { deleted: false })).status).toBe(404)
  })

  it('never gives an id again', async () => {
    const api = await startApp()
    await api.post(CONFIGS, { plugin: 4 })
    await api.delete(`${CONFIGS}/1`)

    expect((await api.post(CONFIGS, { plugin: 4 })).body.id).toBe(2)
  })

  it('takes the runs along and leaves the activity', async () => {
    const api = await startApp()
    await api.post(CONFIGS, { plugin: 4 })
    await api.post(`${CONFIGS}/1/job`)

    await api.delete(`${CONFIGS}/1`)

    expect(await api.db.selectFrom('runs').selectAll().execute()).toEqual([])
    const left = await api.db.selectFrom('activity').select('activity').orderBy('id').execute()
    expect(left.map(({ activity }) => activity)).toEqual(['created', 'job_triggered', 'removed'])
  })
})
