import { describe, expect, it } from 'vitest'
import { startApp, useApp } from '../../../../test/support/app/app.ts'

describe('projects', () => {
  it('lists the projects of the owner', async () => {
    const api = await startApp()

    const { status, body } = await api.get('/api/projects/')

    expect(status).toBe(200)
    expect(body).toMatchObject({ count: 1, next: null, previous: null })
    expect(body.results[0]).toMatchObject({ id: 1, name: 'Default project', timezone: 'UTC' })
    expect(body.results[0].api_token).toMatch(/^phc_/)
  })

  it('shows a member only the projects they were added to', async () => {
    const api = await useApp()
    const other = await api.createProject()
    const member = await api.as({ memberOf: [other] })

    const { body } = await member.get('/api/projects')

    expect(body.results.map(({ id }: { id: number }) => id)).toEqual([other])
    expect((await member.get(`/api/projects/${api.projectId}`)).status).toBe(404)
    expect((await member.get(`/api/projects/${other}`)).body.name).toBe('Other project')
  })

  it('shows a limited key only its projects', async () => {
    const api = await useApp()
    const other = await api.createProject()
    const limited = await api.as({ level: 8, projects: [other] })

    const { body } = await limited.get('/api/projects')

    expect(body).toMatchObject({ count: 1, results: [{ id: other }] })
    expect((await limited.get(`/api/projects/${api.projectId}`)).status).toBe(404)
  })

  it('returns pages', async () => {
    const api = await startApp()
    for (const name of ['b', 'c']) await api.createProject(name)

    const { body } = await api.get('/api/projects?limit=1&offset=1')

    expect(body).toMatchObject({
      count: 3,
      next: `${api.url}/api/projects?limit=1&offset=2`,
      previous: `${api.url}/api/projects?limit=1`,
      results: [{ name: 'b' }],
    })
  })

  it('resolves @current', async () => {
    const api = await useApp()

    expect((await api.get('/api/projects/@current')).body.id).toBe(api.projectId)
  })

  it.each(['0', '2', 'x', '1.5', '-1', '99999999999999999999', '%00'])(
    'responds 404 for project %s',
    async (id) => {
      const api = await useApp()

      const { status, body } = await api.get(`/api/projects/${id}`)

      expect(status).toBe(404)
      expect(body).toMatchObject({ code: 'not_found', detail: 'Not found.' })
    },
  )

  it('returns the owner of the key', async () => {
    const api = await useApp()

    const { body } = await api.get('/api/users/@me/')

    expect(body).toMatchObject({
      email: 'owner@example.com',
      team: { id: api.projectId },
      organization: { membership_level: 15 },
    })
    expect(JSON.stringify(body)).not.toContain('scrypt')
  })
})
