import { describe, expect, it } from 'vitest'
import { PROJECT, startApp, useApp } from '../../../../test/support/app/app.ts'

const ORGANIZATIONS = '/api/organizations'

describe('organizations', () => {
  it('are listed with a slug, one per installation', async () => {
    const api = await startApp()
    await api.patch(`${ORGANIZATIONS}/@current`, { name: ' Größe & Söhne! ' })

    const { body } = await api.get(`${ORGANIZATIONS}/`)

    expect(body).toMatchObject({ count: 1, results: [{ slug: 'gro-e-sohne' }] })
    expect(body.results[0]).toEqual((await api.get(`${ORGANIZATIONS}/@current/`)).body)
    expect((await api.get(`${ORGANIZATIONS}?offset=1`)).body).toMatchObject({
      count: 1,
      results: [],
    })
  })

  it('show a limited key only its own projects', async () => {
    const api = await useApp()
    const hidden = await api.createProject('Nightingale')
    const limited = await api.as({ level: 15, projects: [api.projectId] })
    const projects = `${ORGANIZATIONS}/@current/projects`

    const { body } = await limited.get(projects)

    expect(body.results.map(({ id }: { id: number }) => id)).toEqual([api.projectId])
    expect((await limited.get(`${projects}/${hidden}`)).status).toBe(404)
    expect((await limited.get(`${projects}/${api.projectId}`)).status).toBe(200)
  })

  it('show a member only the joined projects', async () => {
    const api = await useApp()
    const hidden = await api.createProject()
    const member = await api.as({})
    const projects = `${ORGANIZATIONS}/@current/projects`

    expect((await member.get(projects)).body.count).toBe(1)
    expect((await member.get(`${projects}/${hidden}`)).status).toBe(404)
    expect((await member.post(projects, { name: 'x' })).status).toBe(403)
  })

  it('keep their last project', async () => {
    const api = await startApp()

    expect((await api.delete(`${ORGANIZATIONS}/@current/projects/1`)).status).toBe(409)
    expect((await api.get('/api/projects/1')).status).toBe(200)
  })
})

describe('settings of features that Hedgerow does not have', () => {
  it('are off and can be sent back', async () => {
    const api = await useApp()
    const { body } = await api.get(PROJECT)

    const patched = await api.patch(PROJECT, body)

    expect(patched).toMatchObject({ status: 200, body })
    expect(body).toMatchObject({ session_recording_opt_in: false, app_urls: [] })
  })

  it.each([
    ['session_recording_opt_in', true],
    ['heatmaps_opt_in', true],
    ['cookieless_server_hash_mode', 2],
    ['app_urls', ['https://example.com']],
    ['session_recording_network_payload_capture_config', { recordBody: true }],
  ])('refuse %s, and change nothing', async (name, value) => {
    const api = await useApp()
    const { body: before } = await api.get(PROJECT)

    const refused = await api.patch(PROJECT, { name: 'Other', [name]: value })

    expect(refused).toMatchObject({ status: 400, body: { attr: name } })
    expect((await api.get(PROJECT)).body).toEqual(before)
  })
})
