import { describe, expect, it } from 'vitest'
import { insertOneTimeToken } from '#server/features/accounts/sessions/one-time-tokens-store.ts'
import { startApp, type TestApp } from '../support/app/app.ts'
import { OWNER } from '../support/app/owner.ts'
import { nameOf, start, walk } from './walk.ts'

const { email, password } = OWNER

/** Headers that browsers add, and whether a page of another site has sent them. */
const HEADERS: readonly (readonly [string, Record<string, string>, boolean])[] = [
  ['from a page of another site', { 'sec-fetch-site': 'cross-site' }, true],
  ['from a sibling domain', { 'sec-fetch-site': 'same-site' }, true],
  ['from an old browser on another site', { origin: 'https://evil.example' }, true],
  ['from a page without an origin', { origin: 'null' }, true],
  ['that claims our origin', { 'sec-fetch-site': 'cross-site', origin: 'OWN' }, true],
  ['from a page of this server', { 'sec-fetch-site': 'same-origin' }, false],
  ['from an old browser on this server', { origin: 'OWN' }, false],
  ['from a script', {}, false],
]

/** Requests that start a session without a key. Each works once. */
const SESSIONS: readonly (readonly [string, (api: TestApp) => Promise<[string, object]>])[] = [
  ['POST /api/sign_in', async () => ['/api/sign_in', { email, password }]],
  [
    'POST /api/reset_password',
    async ({ db }) => {
      const token = await insertOneTimeToken(db, 'reset_password', 1)
      return ['/api/reset_password', { token, password }]
    },
  ],
  [
    'POST /api/set_up',
    async ({ db }) => {
      const token = await insertOneTimeToken(db, 'set_up', 1)
      return ['/api/set_up', { token, email, first_name: 'Ada', last_name: 'L.', password }]
    },
  ],
  [
    'POST /api/invites/:token',
    async (api) => {
      const invite = { email: `${crypto.randomUUID()}@example.com`, level: 1, projects: [1] }
      const { body } = await api.post('/api/organizations/@current/invites', invite)
      const path = new URL(body.link).pathname.replace('/invite/', '/api/invites/')
      return [path, { first_name: 'Grace', last_name: 'H.', email: invite.email, password }]
    },
  ],
]

describe.each(SESSIONS)('%s', (_, prepare) => {
  it('starts no session for a page of another site', async () => {
    const api = await startApp()
    const nobody = api.withKey(undefined)

    for (const [name, headers, isRefused] of HEADERS) {
      const [path, sent] = await prepare(api)
      const own = { ...headers, ...(headers.origin === 'OWN' && { origin: api.url }) }
      const { status, body, headers: received } = await nobody.post(path, sent, own)
      const outcome = isRefused ? [403, 'permission_denied', 0] : [expect.any(Number), undefined, 2]
      expect([name, status, body?.code, received.getSetCookie().length]).toEqual([name, ...outcome])
      // a refused request has used up nothing
      if (isRefused) expect((await nobody.post(path, sent)).status).toBeLessThan(300)
    }
  })
})

describe('every public route that changes something', () => {
  it('refuses pages of other sites, or takes the token of a project', async () => {
    const { api, world, routes } = await start()
    const changes = routes.filter(({ scope, method }) => scope === 'public' && method === 'POST')
    const nobody = api.withKey(undefined)
    const request: typeof nobody.request = (method, path, body) =>
      nobody.request(method, path, body, { 'sec-fetch-site': 'cross-site' })

    const responses = await walk(changes, world, () => ({ ...nobody, request }))

    const refused = Object.keys(responses).filter((name) => responses[name]?.startsWith('403 '))
    const own = [
      ...SESSIONS.map(([name]) => name),
      ...[
        'POST /api/sign_in/second_step',
        ...['POST /api/sign_in/passkey', 'POST /api/sign_in/passkey/options'],
        'POST /api/reset_password/mail',
        'POST /shared/:token/password',
        'POST /shared/:token/code',
        'POST /shared/:token/guest',
        ...['POST /scim/v2/Users', 'POST /scim/v2/Groups'],
      ],
    ]
    expect(refused.sort()).toEqual(own.sort())
    const others = changes.map(nameOf).filter((name) => !/^40[35] /.test(responses[name] ?? ''))
    expect(others.length).toBeGreaterThan(10)
    expect(others.filter((name) => name.startsWith('POST /api/'))).toEqual([])
  })
})
