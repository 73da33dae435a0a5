import { describe, expect, it } from 'vitest'
import { SCOPES, type Scope } from '#server/access/scopes.ts'
import { revokeApiKey } from '#server/features/accounts/api-keys/api-keys.ts'
import type { Client } from '../support/app/app.ts'
import { ADDITIONS, ADMIN_ONLY, INTERFACE, toTemplate } from './operations.ts'
import type { Route } from './routes.ts'
import {
  everywhere,
  isAdminOnly,
  isInOrganization,
  isInProject,
  isOfAccount,
  isScoped,
  nameOf,
  refusals,
  sampleOf,
  start,
  startRefused,
  walk,
} from './walk.ts'
import { toAlias } from './world.ts'

const PUBLIC = [
  ...['/_health', '/_ready', '/metrics', '/api/schema'],
  ...['/docs', '/docs/search', '/docs/*', '/llms.txt'],
  ...['/docs/operating/:file', '/docs/pictures/:file'],
  ...['/shared/:file', '/shared/:token/state', '/embedded/:token'],
  ...['/embedded/:token/state', '/embed.js'],
  ...['/array/:project_token/config', '/array/:project_token/config.js'],
  '/v1/projects/:project_token/settings',
  ...['/', '/sign-in', '/set-up', '/reset-password', '/no-project', '/invite/:token'],
  '/second-factor',
  ...['/project/:project', '/project/:project/*'],
  ...['/project/:project/dashboards', '/project/:project/dashboards/:dashboard_id'],
  ...['/assets/:file', '/static/:file', '/static/:version/:file'],
  ...['/favicon.svg', '/color-scheme.js'],
  ...['/api/sign_in', '/api/invites/:token', '/sign-in/oidc', '/sign-in/oidc/callback'],
]
/** Bodies for routes that need no sign-in. */
const PUBLIC_POSTS = [
  ...[
    '/api/invites/:token',
    '/api/sign_in',
    '/api/sign_in/second_step',
    ...['/api/sign_in/passkey', '/api/sign_in/passkey/options'],
    '/api/reset_password',
    '/api/reset_password/mail',
    '/api/set_up',
  ],
  ...['/shared/:token/password', '/shared/:token/code', '/shared/:token/guest'],
  '/v1/m',
]
const ELSEWHERE = 987654

describe('every route', () => {
  it('is listed as public, or refuses a caller without a key', async () => {
    const { api, world, routes: all, guarded, walk } = await startRefused()
    const routes = all.filter(({ method }) => method !== 'TRACE') // fetch refuses to send it

    const responses = await walk(routes, world, () => api.withKey(undefined))

    const open = routes.filter((route) => !/^(401|405)/.test(responses[nameOf(route)] ?? ''))
    const opened = (...methods: string[]) =>
      new Set(open.filter(({ method }) => methods.includes(method)).map(({ url }) => url))
    expect(opened('GET', 'HEAD')).toEqual(new Set(PUBLIC))
    expect(opened('POST')).toEqual(new Set(PUBLIC_POSTS))
    expect(opened('PUT', 'PATCH', 'DELETE')).toEqual(new Set())
    expect(routes.filter(({ scope }) => scope === 'none')).toEqual([])
    expect(responses).toMatchObject(
      everywhere(guarded, 401, () => 'Authentication credentials were not provided.'),
    )
  })

  it('is documented and requires the expected scope', async () => {
    const { api, guarded } = await startRefused()
    const decided = new Map([
      ...INTERFACE.map(({ method, path, scope }) => [`${method} ${toTemplate(path)}`, scope]),
      ...Object.entries(ADDITIONS),
    ] as [string, string][])

    const described = Object.entries(api.app.openApiDocument().paths).flatMap(([path, methods]) =>
      Object.keys(methods).map((method) => `${method.toUpperCase()} ${path}`),
    )

    expect(described.toSorted()).toEqual([...decided.keys()].toSorted())
    for (const { method, url, scope } of guarded) {
      const verb = method === 'HEAD' ? 'GET' : method
      expect(decided.get(`${verb} ${toTemplate(url)}`), `${method} ${url}`).toBe(scope)
    }
  })

  it('responds the same at its other URL, with a trailing slash', async () => {
    const { api, world, guarded } = await start()
    const routes = sampleOf(guarded.filter(isInProject))
    const reader = await api.as({ scopes: ['project:write'] })
    const others = routes.map((route) => ({ ...route, url: `${toAlias(route.url)}/` }))

    const responses = await walk(routes, world, () => reader)
    const byTheOther = await walk(others, world, () => reader)

    expect(Object.values(byTheOther)).toEqual(Object.values(responses))
    expect(Object.values(responses).filter((response) => response.includes('Endpoint'))).toEqual([])
  })

  it.each(['phx_wrong', 'phx_0000000000000000000000000000000000000000001'])(
    'refuses the unknown key %s',
    async (key) => {
      const { api, world, guarded, walk } = await startRefused()
      const routes = sampleOf(guarded)

      const responses = await walk(routes, world, () => api.withKey(key))

      const detail = 'Personal API key found in request Authorization header is invalid.'
      expect(responses).toEqual(everywhere(routes, 401, () => detail))
    },
  )

  it('refuses an expired key', async () => {
    const { api, world, guarded, walk } = await startRefused()
    const routes = sampleOf(guarded)
    const expired = await api.as({ level: 15, expiresAt: '2020-01-01T00:00:00.000Z' })

    const responses = await walk(routes, world, () => expired)

    const detail =
      'Personal API key found in request Authorization header expired at 2020-01-01T00:00:00.000Z.'
    expect(responses).toEqual(everywhere(routes, 401, () => detail))
  })

  it('refuses a key as soon as it is revoked', async () => {
    const { api, world, guarded, walk } = await startRefused()
    const routes = sampleOf(guarded)
    const revoked = await api.as({ level: 15 })
    expect((await revoked.get('/api/projects')).status).toBe(200)
    const keys = api.db.selectFrom('api_keys').select('id').where('user_id', '=', revoked.userId)
    await revokeApiKey(api.db, (await keys.executeTakeFirstOrThrow()).id)

    const responses = await walk(routes, world, () => revoked)

    const detail = 'Personal API key found in request Authorization header is invalid.'
    expect(responses).toEqual(everywhere(routes, 401, () => detail))
  })

  it('refuses a key with every scope but the required one', async () => {
    const { api, world, guarded, walk } = await startRefused()
    const scoped = guarded.filter(isScoped)
    const clients = new Map<string, Client>()
    for (const scope of SCOPES) {
      clients.set(scope, await api.as({ level: 15, scopes: SCOPES.filter(isOther(scope)) }))
    }

    const responses = await walk(scoped, world, ({ scope }) => clients.get(scope) as Client)

    expect(responses).toEqual(
      everywhere(scoped, 403, ({ scope }) => `API key missing required scope '${scope}'`),
    )
  })

  it.each([
    ['exactly the scope needed', (routes: readonly Route[]) => routes, (scope: string) => [scope]],
    [
      'writing where reading is needed',
      sampleOf,
      (scope: string) => [scope.replace('read', 'write')],
    ],
    ['the scope of everything', sampleOf, () => ['*']],
  ])('accepts a key with %s', async (_, choose, toScopes) => {
    const { api, world, guarded } = await start()
    const scoped = choose(guarded.filter(isScoped))
    const clients = new Map<string, Client>()
    for (const scope of SCOPES) {
      const scopes = toScopes(scope) as Scope[]
      clients.set(`${scope} false`, await api.as({ scopes }))
      clients.set(`${scope} true`, await api.as({ scopes, level: 8 }))
    }
    const toClient = ({ scope, adminOnly }: Route) => clients.get(`${scope} ${adminOnly}`) as Client

    const responses = await walk(scoped, world, toClient)

    expect(refusals(responses)).toEqual([])
  })
})

describe('every route of an account', () => {
  it.each([
    ['with all scopes but no star', { scopes: SCOPES }],
    ['limited to projects', { projects: [1] }],
  ])('refuses a key %s', async (_, limits) => {
    const { api, world, guarded, walk } = await startRefused()
    const routes = guarded.filter(isOfAccount)
    const limited = await api.as({ level: 15, ...limits })

    const responses = await walk(routes, world, () => limited)

    const detail = 'This needs a session, or an API key with every scope and for every project.'
    expect(responses).toEqual(everywhere(routes, 403, () => detail))
  })
})

/** Reading is granted by the read or the write scope, writing by the write scope only. */
const isOther = (scope: Scope) => (other: Scope) =>
  other !== scope && other !== scope.replace(':read', ':write')

describe('every route of a project', () => {
  it('refuses a member of other projects', async () => {
    const { api, world, guarded, walk } = await startRefused()
    const routes = guarded.filter(isInProject)
    const stranger = await api.as({ memberOf: [await api.createProject()] })

    const responses = await walk(routes, world, () => stranger)

    expect(responses).toEqual(
      everywhere(routes, 403, () => "You don't have access to the project."),
    )
  })

  it.each([1, 15] as const)(
    'refuses a key limited to another project, held by level %i',
    async (level) => {
      const { api, world, guarded, walk } = await startRefused()
      const routes = sampleOf(guarded.filter(isInProject))
      const other = await api.createProject()
      const limited = await api.as({ level, memberOf: [api.projectId, other], projects: [other] })

      const responses = await walk(routes, world, () => limited)

      const detail = `API key does not have access to the requested project: ID ${api.projectId}.`
      expect(responses).toEqual(everywhere(routes, 403, () => detail))
    },
  )

  it('returns 404 for an unknown project', async () => {
    const { api, world, guarded, walk } = await startRefused()
    const routes = guarded.filter(isInProject)

    const responses = await walk(routes, { ...world, project: ELSEWHERE }, () => api)

    expect(responses).toEqual(everywhere(routes, 404, () => 'Project not found.'))
  })

  it('returns 404 for a record of another project', async () => {
    const { api, world, guarded, walk } = await startRefused()
    const other = await api.createProject()
    const routes = guarded.filter(({ url }) => /:project_id.*:/.test(url))

    const responses = await walk(routes, { ...world, project: other }, () => api)

    const found = Object.entries(responses).filter(([, response]) => response.startsWith('2'))
    expect(found).toEqual([])
  })
})

describe('every admin route', () => {
  it('is listed as an admin route', async () => {
    const { guarded } = await startRefused()

    const names = guarded
      .filter(isAdminOnly)
      .filter(({ method }) => method !== 'HEAD')
      .map(({ method, url }) => `${method} ${toTemplate(url)}`)

    expect(names.toSorted()).toEqual(ADMIN_ONLY.toSorted())
  })

  it('refuses a member with any scopes', async () => {
    const { api, world, guarded, walk } = await startRefused()
    const routes = guarded.filter(isAdminOnly)
    const member = await api.as({ level: 1 })

    const responses = await walk(routes, world, () => member)

    const detail = 'This needs an admin or owner of the organization, and you are a member.'
    expect(responses).toEqual(everywhere(routes, 403, () => detail))
  })
})

describe('every route of an organization', () => {
  it('returns 404 for another organization', async () => {
    const { api, world, guarded, walk } = await startRefused()
    const routes = guarded.filter(isInOrganization)
    const elsewhere = routes.map((route) => ({
      ...route,
      url: route.url.replace(':organization_id', '0b0f3c0e-0000-4000-8000-000000000000'),
    }))

    const responses = await walk(elsewhere, world, () => api)

    expect(responses).toEqual(everywhere(elsewhere, 404, () => 'Organization not found.'))
  })

  it('refuses a key that is limited to projects', async () => {
    const { api, world, guarded, walk } = await startRefused()
    const routes = guarded.filter(isInOrganization).filter(isAdminOnly)
    const limited = await api.as({ level: 15, projects: [api.projectId] })

    const responses = await walk(routes, world, () => limited)

    const detail = 'API key is limited to projects, and this affects the whole organization.'
    expect(responses).toEqual(everywhere(routes, 403, () => detail))
  })
})
