import { describe, expect, it } from 'vitest'
import { LEVELS, type RequiredLevel } from './levels.ts'
import { toTemplate } from './operations.ts'
import type { Route } from './routes.ts'
import { everywhere, nameOf, sampleOf, start, startRefused, takesSessions, walk } from './walk.ts'

const CANNOT = 'Viewers cannot do this. Ask an admin to make you a member of the project.'
const NO_EXPORTS =
  'Viewers cannot export from this project. Ask an admin to allow it in the project settings.'

const levelOf = ({ method, url }: Route): RequiredLevel | undefined =>
  LEVELS.get(`${method === 'HEAD' ? 'GET' : method} ${toTemplate(url)}`)

const needs =
  (...levels: RequiredLevel[]) =>
  (route: Route) =>
    levels.includes(levelOf(route) as RequiredLevel)

const isClosed = needs('member', 'admin')
const isExport = needs('viewer who may export')

describe('the table of levels', () => {
  it('has one row for each guarded route, and no other', async () => {
    const { guarded } = await startRefused()

    const names = guarded
      .filter(({ method }) => method !== 'HEAD')
      .map(({ method, url }) => `${method} ${toTemplate(url)}`)

    expect([...LEVELS.keys()].toSorted()).toEqual(names.toSorted())
  })

  it('agrees with what the routes declare', async () => {
    const { guarded } = await startRefused()

    for (const route of guarded) {
      const level = levelOf(route)
      const { adminOnly, viewers } = route
      expect({ route: nameOf(route), adminOnly, viewers }).toEqual({
        route: nameOf(route),
        adminOnly: level === 'admin',
        viewers: level === 'viewer' ? true : isExport(route) ? 'if exports are allowed' : undefined,
      })
    }
  })
})

describe('a viewer', () => {
  it('is refused on every route for members and admins, and cannot export', async () => {
    const { api, world, guarded, walk } = await startRefused()
    const routes = guarded.filter(needs('member', 'admin', 'viewer who may export'))
    const viewer = await api.as({ access: 'viewer' })

    const responses = await walk(routes, world, () => viewer)

    const detail = (route: Route) => (isExport(route) ? NO_EXPORTS : CANNOT)
    expect(responses).toEqual(everywhere(routes, 403, detail))
    expect(routes.length).toBeGreaterThan(200)
  })

  it('is refused in a session too', async () => {
    const { api, world, guarded, walk } = await startRefused()
    const routes = sampleOf(guarded.filter(isClosed))
    const { userId } = await api.as({ access: 'viewer' })
    const session = await api.withSession(userId)

    const responses = await walk(routes, world, () => session)

    expect(responses).toEqual(everywhere(routes, 403, () => CANNOT))
  })

  it('is refused at the other URL of each route', async () => {
    const { api, world, guarded, walk } = await startRefused()
    const routes = sampleOf(guarded.filter(isClosed)).map((route) => ({
      ...route,
      url: `${toOther(route.url)}/`,
    }))
    const viewer = await api.as({ access: 'viewer' })

    const responses = await walk(routes, world, () => viewer)

    expect(responses).toEqual(everywhere(routes, 403, () => CANNOT))
  })

  it('reaches every other route, and exports where the project allows it', async () => {
    const { api, world, guarded } = await start()
    const routes = guarded.filter(needs('viewer', 'viewer who may export')).filter(takesSessions)
    const viewer = await api.as({ access: 'viewer' })
    await api.patch('', { viewers_can_export: true })

    // leaving and signing out end the access that the others need
    const staying = routes.filter(({ url }) => !/sign_out|members\/@me/.test(url))
    const responses = await walk(staying, world, () => viewer)

    const refused = Object.entries(responses).filter(([, response]) => /^40[135]/.test(response))
    expect(refused).toEqual([])
    expect(
      Object.values(responses).filter((response) => response === '200').length,
    ).toBeGreaterThan(30)
  })

  it('stays one outside projects while a member of none', async () => {
    const { api, world, guarded, walk } = await startRefused()
    const routes = guarded.filter(isClosed).filter(({ url }) => !url.includes(':project_id'))
    const removed = await api.as({ memberOf: [] })

    const responses = await walk(routes, world, () => removed)

    expect(responses).toEqual(everywhere(routes, 403, () => CANNOT))
  })
})

describe('someone who views one project and is a member of another', () => {
  it('is a viewer in the first only', async () => {
    const { api, world, guarded, walk } = await startRefused()
    const other = await api.createProject()
    const closed = guarded.filter(needs('member'))
    const [inside, outside] = [true, false].map((is) =>
      closed.filter(({ url }) => url.includes(':project_id') === is),
    ) as [Route[], Route[]]
    const both = await api.as({ memberOf: [api.projectId, other] })
    expect(
      (await api.patch(`members/${both.uuid}`, { access_level: 'viewer' })).body.access_level,
    ).toBe('viewer')

    const responses = await walk(sampleOf(inside), world, () => both)
    const organization = await walk(outside, world, () => both)

    expect(responses).toEqual(everywhere(sampleOf(inside), 403, () => CANNOT))
    expect(Object.values(organization).filter((response) => response.includes(CANNOT))).toEqual([])
    expect((await both.post(api.path('dashboards', other), { name: 'Own' })).status).toBe(201)
  })
})

describe('an admin', () => {
  it('is never a viewer, whatever the level they were added with', async () => {
    const { api, world, guarded, walk: _ } = await startRefused()
    const routes = sampleOf(guarded.filter(({ method }) => method === 'GET'))
    const admin = await api.as({ level: 8, access: 'viewer' })

    const responses = await walk(routes, world, () => admin)

    expect(Object.values(responses).filter((response) => response.startsWith('403'))).toEqual([])
  })
})

const toOther = (url: string): string =>
  url.startsWith('/api/environments')
    ? url.replace('environments', 'projects')
    : url.replace('/api/projects/:project_id', '/api/environments/:project_id')
