import { describe, expect, it } from 'vitest'
import { createAppStorage } from '#server/features/import-apps/runs/services/storage-store.ts'
import { CONFIGS, startApp, type TestApp } from '../../../../test/support/app/app.ts'
import { startImportApp } from '../../../../test/support/app/import-app.ts'
import { until } from '../../../../test/support/until.ts'

const STATE = `${CONFIGS}/1/state`

async function startWithConfig(): Promise<TestApp> {
  const api = await startApp()
  await api.post(CONFIGS, { plugin: 4 })
  return api
}

const put = (api: TestApp, body: object) => api.request('PUT', STATE, body)

describe('the state of an import', { tags: 'sql' }, () => {
  it('is what its app stores, with a version that each change increases', async () => {
    const api = await startWithConfig()
    const storage = createAppStorage(api.db, 1)

    expect((await api.get(STATE)).body).toEqual({ version: 0, bytes: 0, state: {} })
    await storage.set('cursor', '{"at":5}')
    await storage.increment('pages', 3)

    const { body } = await api.get(STATE)
    expect(body).toEqual({ version: 2, bytes: 220, state: { cursor: { at: 5 }, pages: 3 } })
  })

  it('can be replaced, which the app reads and the activity shows', async () => {
    const api = await startWithConfig()
    const storage = createAppStorage(api.db, 1)
    await storage.set('old', '1')
    const before = await api.get(`${CONFIGS}/1`)

    const { status, body } = await put(api, { version: 1, state: { cursor: 'x' } })

    expect([status, body.version, body.state]).toEqual([200, 2, { cursor: 'x' }])
    expect([await storage.get('cursor'), await storage.get('old')]).toEqual(['"x"', undefined])
    // a new version of the config ends the process that may remember the old state
    expect((await api.get(`${CONFIGS}/1`)).body.updated_at > before.body.updated_at).toBe(true)
    const activity = await api.get(`${CONFIGS}/1/activity`, { accept: 'application/json' })
    expect(activity.body.results[0]).toMatchObject({
      activity: 'state_changed',
      detail: { changes: [{ field: 'state_version', before: 1, after: 2 }, {}] },
    })
    expect(JSON.stringify(activity.body)).not.toContain('cursor')
  })

  it('is not overwritten by someone who read an older version', async () => {
    const api = await startWithConfig()
    await put(api, { version: 0, state: { cursor: 1 } })

    const late = await put(api, { version: 0, state: { cursor: 0 } })
    const deleted = await api.delete(`${STATE}?version=0`)

    expect([late.status, late.body.code]).toEqual([412, 'version_conflict'])
    expect(late.body.detail).toBe('The state has version 1, not 0. Read it again.')
    expect(deleted.status).toBe(412)
    expect((await api.get(STATE)).body.state).toEqual({ cursor: 1 })
  })

  it('is replaced by one of two people at the same moment', async () => {
    const api = await startWithConfig()

    const both = await Promise.all([1, 2].map((n) => put(api, { version: 0, state: { n } })))

    expect(both.map(({ status }) => status).sort()).toEqual([200, 412])
  })

  it('is empty once it is deleted, and keeps counting versions', async () => {
    const api = await startWithConfig()
    await put(api, { version: 0, state: { cursor: 1 } })

    expect((await api.delete(STATE)).status).toBe(204)

    expect((await api.get(STATE)).body).toEqual({ version: 2, bytes: 0, state: {} })
    expect((await put(api, { version: 0, state: {} })).status).toBe(412)
  })

  it('keeps the limit of the room that an app has', async () => {
    const api = await startWithConfig()
    await put(api, { version: 0, state: { cursor: 'x'.repeat(1000) } })

    const { bytes } = (await api.get(STATE)).body
    expect(bytes).toBe(1000 + 2 + 6 + 100)
    await createAppStorage(api.db, 1).delete('cursor')
    expect((await api.get(STATE)).body.bytes).toBe(0)
  })

  it.each([
    [{ state: {} }, 'version'],
    [{ version: -1, state: {} }, 'version'],
    [{ version: 0 }, 'state'],
    [{ version: 0, state: [] }, 'state'],
    [{ version: 0, state: { ['k'.repeat(201)]: 1 } }, 'state'],
    [{ version: 0, state: { big: 'x'.repeat(600_000) } }, 'state'],
  ])('refuses %.60j', async (body, attr) => {
    const api = await startWithConfig()

    expect(await put(api, body)).toMatchObject({ status: 400, body: { attr } })
    expect((await api.get(STATE)).body.version).toBe(0)
  })

  it('is readable only with a key that can write, and not from another project', async () => {
    const api = await startWithConfig()
    const reader = await api.as({ scopes: ['plugin:read'] })
    const other = await api.createProject()

    expect((await reader.get(STATE)).status).toBe(403)
    const foreign = `/api/projects/${other}/pipeline_import_apps_configs/1/state`
    expect((await api.get(foreign)).status).toBe(404)
    expect((await api.request('PUT', foreign, { version: 0, state: {} })).status).toBe(404)
    expect((await api.delete(foreign)).status).toBe(404)
  })
})

describe('the state of an active import', () => {
  it('is not changed, because the run could overwrite it', async () => {
    const api = await startImportApp(`
      export const jobs = {
        async work(payload, { storage }) {
          await storage.set('begun', true)
          for (;;) await fetch('http://127.0.0.1:1/').catch(() => {})
        },
      }
    `)
    const { body: run } = await api.post(
      `${CONFIGS}/1/job`,
      { job: { type: 'work', payload: {} } },
      { accept: 'application/json' },
    )
    const { version } = await until(async () => {
      const { body } = await api.get(STATE)
      return body.state.begun && body
    })

    const refused = await put(api, { version, state: {} })
    expect([refused.status, refused.body.code]).toEqual([409, 'conflict'])
    expect((await api.delete(STATE)).status).toBe(409)

    await api.post(`${CONFIGS}/1/runs/${run.id}/cancel`)
    await until(async () => (await api.delete(STATE)).status === 204)
    expect((await api.get(STATE)).body.state).toEqual({})
  })
})
