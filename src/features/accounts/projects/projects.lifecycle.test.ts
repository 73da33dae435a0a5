import { describe, expect, it } from 'vitest'
import { inSeconds } from '#server/db/values.ts'
import { runMaintenance } from '#server/worker/maintenance.ts'
import { PROJECT, startApp, useApp } from '../../../../test/support/app/app.ts'
import { newEvent } from '../../../../test/support/data/events.ts'

const PROJECTS = '/api/projects'

describe('project life cycle', () => {
  it('is created with a name and a time zone, and accepts events', async () => {
    const api = await startApp()

    const { status, body } = await api.post(PROJECTS, { name: 'Shop', timezone: 'Europe/Berlin' })

    expect(status).toBe(201)
    expect(body).toMatchObject({ id: 2, name: 'Shop', timezone: 'Europe/Berlin' })
    expect((await api.get(PROJECTS)).body.count).toBe(2)
    const sent = { api_key: body.api_token, event: 'x', distinct_id: 'a' }
    expect((await api.withKey(undefined).post('/capture', sent)).status).toBe(200)
  })

  it.each([
    ['no name', {}, 'name'],
    ['an empty name', { name: '  ' }, 'name'],
    ['an unknown time zone', { name: 'x', timezone: 'Mars/Base' }, 'timezone'],
  ])('rejects %s', async (_, body, attr) => {
    const api = await useApp()
    const { count } = (await api.get(PROJECTS)).body

    expect(await api.post(PROJECTS, body)).toMatchObject({ status: 400, body: { attr } })
    expect((await api.get(PROJECTS)).body.count).toBe(count)
  })

  it('cannot be created by a key that is limited to projects', async () => {
    const api = await useApp()
    const limited = await api.as({ level: 15, projects: [api.projectId] })

    expect((await limited.post(PROJECTS, { name: 'x' })).status).toBe(403)
  })

  it('is deleted with everything in it, and nothing else', { tags: 'sql' }, async () => {
    const api = await useApp()
    const { id, api_token } = (await api.post(PROJECTS, { name: 'Shop' })).body
    const made = { use_template: 'DEFAULT_APP' }
    await api.post(`/api/environments/${id}/dashboards`, { name: 'x', ...made })
    const kept = (await api.post('dashboards', { name: 'y', ...made })).body
    const member = await api.as({ memberOf: [id] })
    for (const project of [api.projectId, id])
      await api.services.events.append(project, [newEvent({})])

    const { status } = await api.delete(`${PROJECTS}/${id}?confirm=Shop`)

    expect(status).toBe(204)
    expect((await api.get(`${PROJECTS}/${id}`)).status).toBe(404)
    expect((await api.get(`/api/environments/${id}/dashboards`)).status).toBe(404)
    expect((await member.get('/api/users/@me')).body.team).toBeNull()
    expect(await api.services.events.count(id)).toBe(0)
    const sent = { api_key: api_token, event: 'x', distinct_id: 'a' }
    expect((await api.withKey(undefined).post('/capture', sent)).status).toBe(401)
    const tables = ['dashboards', 'insights', 'tiles', 'activity'] as const
    for (const table of tables) {
      const rows = await api.db.selectFrom(table).where('project_id', '=', id).selectAll().execute()
      expect(rows).toEqual([])
    }
    expect(await api.services.events.count(api.projectId)).toBe(1)
    expect((await api.get(`dashboards/${kept.id}`)).status).toBe(200)
  })

  it('deletes its events even if the server died during the removal', { tags: 'sql' }, async () => {
    const api = await startApp()
    const { id } = (await api.post(PROJECTS, { name: 'Shop' })).body
    await api.delete(`${PROJECTS}/${id}?confirm=Shop`)
    const { events } = api.services
    for (const project of [1, id]) await events.append(project, [newEvent({})])

    await runMaintenance(api.db, events)

    expect([await events.count(id), await events.count(1)]).toEqual([0, 1])
    const listed = () => api.db.selectFrom('removed_projects').select('id').execute()
    expect(await listed()).toEqual([{ id }])
    await api.db
      .updateTable('removed_projects')
      .set({ removed_at: inSeconds(-7200) })
      .execute()
    await runMaintenance(api.db, events)
    expect(await listed()).toEqual([])
  })

  it('is not deleted without its exact name', async () => {
    const api = await useApp()
    const { id } = (await api.post(PROJECTS, { name: 'Shop' })).body

    for (const query of ['', '?confirm=', '?confirm=shop', '?confirm=Shop%20']) {
      const response = await api.delete(`${PROJECTS}/${id}${query}`)
      expect(response).toMatchObject({ status: 400, body: { attr: 'confirm' } })
    }
    expect((await api.get(`${PROJECTS}/${id}`)).status).toBe(200)
  })

  it('is not deleted if it is the last one or has a running app', async () => {
    const api = await startApp()
    const last = `${PROJECTS}/1?confirm=Default%20project`
    expect((await api.delete(last)).status).toBe(409)

    await api.post(PROJECTS, { name: 'Shop' })
    const configs = `${PROJECTS}/1/pipeline_import_apps_configs`
    const { id } = (await api.post(configs, { plugin: 1, enabled: true })).body
    await api.post(`${configs}/${id}/job`, {})
    await api.db.updateTable('runs').set({ state: 'running' }).execute()

    expect((await api.delete(last)).status).toBe(409)
    await api.db.updateTable('runs').set({ state: 'succeeded' }).execute()
    expect((await api.delete(last)).status).toBe(204)
  })

  it('accepts only the new token after a rotation', async () => {
    const api = await useApp()
    const { api_token: old } = (await api.get(PROJECT)).body
    const send = (api_key: string) =>
      api.withKey(undefined).post('/capture', { api_key, event: 'x', distinct_id: 'a' })
    expect((await send(old)).status).toBe(200)

    const { body } = await api.post('rotate_token')

    expect(body.api_token).toMatch(/^phc_\w{43}$/)
    expect((await send(old)).status).toBe(401)
    expect((await send(body.api_token)).status).toBe(200)
  })
})

describe('organization', () => {
  it('can be renamed by admins', async () => {
    const api = await startApp()
    const path = '/api/organizations/@current'

    const { body } = await api.patch(path, { name: ' Hedge & Row ' })

    expect(body).toMatchObject({ name: 'Hedge & Row', membership_level: 15 })
    expect((await api.get(path)).body).toEqual(body)
    expect((await api.get('/api/users/@me')).body.organization.name).toBe('Hedge & Row')
    expect(await api.patch(path, { name: ' ' })).toMatchObject({ status: 400 })
  })
})
