import { describe, expect, it, onTestFinished } from 'vitest'
import { type Client, CONFIGS, DASHBOARDS, startApp } from '../support/app/app.ts'

/** A request that is invalid at its stage and every later one, so the error shows which check comes first. */
interface Wrong {
  readonly stage: string
  readonly by: keyof Awaited<ReturnType<typeof start>>
  readonly method: string
  readonly path: string
  readonly sends?: string
  readonly type?: string
  readonly status: number
  readonly says: Record<string, string>
}

const NOWHERE = '/api/environments/987654/dashboards'
const MALFORMED = '{"name": '
const INVALID = '{"name": 7, "level": 5}'
const LONG = `{"name": "${'x'.repeat(1024 * 1024)}"}`
const PATCH_404 = `${DASHBOARDS}/987654`

const refusals: readonly Wrong[] = [
  {
    stage: 'the path, before the key and the body',
    by: 'nobody',
    method: 'POST',
    path: '/api/nothing',
    sends: MALFORMED,
    type: 'text/plain',
    status: 404,
    says: { detail: 'Endpoint not found.' },
  },
  {
    stage: 'the method, before the key and the project',
    by: 'nobody',
    method: 'PUT',
    path: NOWHERE,
    sends: MALFORMED,
    type: 'text/plain',
    status: 405,
    says: { detail: 'Method "PUT" not allowed.' },
  },
  {
    stage: 'that there is a key, before the project',
    by: 'nobody',
    method: 'POST',
    path: NOWHERE,
    sends: MALFORMED,
    status: 401,
    says: { code: 'not_authenticated' },
  },
  {
    stage: 'the key, before the project',
    by: 'wrongKey',
    method: 'POST',
    path: NOWHERE,
    sends: MALFORMED,
    status: 401,
    says: { code: 'authentication_failed' },
  },
  {
    stage: 'its expiry, before the project',
    by: 'expired',
    method: 'POST',
    path: NOWHERE,
    sends: MALFORMED,
    status: 401,
    says: { code: 'authentication_failed' },
  },
  {
    stage: 'the project, before the scope',
    by: 'unscopedStranger',
    method: 'POST',
    path: NOWHERE,
    sends: MALFORMED,
    status: 404,
    says: { detail: 'Project not found.' },
  },
  {
    stage: 'the scope, before the membership',
    by: 'unscopedStranger',
    method: 'POST',
    path: DASHBOARDS,
    sends: MALFORMED,
    status: 403,
    says: { detail: "API key missing required scope 'dashboard:write'" },
  },
  {
    stage: "the key's projects, before the membership",
    by: 'limitedStranger',
    method: 'POST',
    path: DASHBOARDS,
    sends: MALFORMED,
    status: 403,
    says: { detail: 'API key does not have access to the requested project: ID 1.' },
  },
  {
    stage: 'the membership, before the syntax of the body',
    by: 'stranger',
    method: 'POST',
    path: DASHBOARDS,
    sends: MALFORMED,
    status: 403,
    says: { detail: "You don't have access to the project." },
  },
  {
    stage: 'the membership, before the type of the body',
    by: 'stranger',
    method: 'POST',
    path: DASHBOARDS,
    sends: 'x',
    type: 'text/plain',
    status: 403,
    says: { detail: "You don't have access to the project." },
  },
  {
    stage: 'the membership, before the size of the body',
    by: 'stranger',
    method: 'POST',
    path: DASHBOARDS,
    sends: LONG,
    status: 403,
    says: { detail: "You don't have access to the project." },
  },
  {
    stage: 'the syntax, before the record',
    by: 'member',
    method: 'PATCH',
    path: PATCH_404,
    sends: MALFORMED,
    status: 400,
    says: { code: 'parse_error' },
  },
  {
    stage: 'the type of the body, before the record',
    by: 'member',
    method: 'PATCH',
    path: PATCH_404,
    sends: 'x',
    type: 'text/plain',
    status: 415,
    says: { code: 'unsupported_media_type' },
  },
  {
    stage: 'the size of the body, before the record',
    by: 'member',
    method: 'PATCH',
    path: PATCH_404,
    sends: LONG,
    status: 413,
    says: { code: 'request_too_large' },
  },
  {
    stage: 'the fields of a dashboard, before the record',
    by: 'member',
    method: 'PATCH',
    path: PATCH_404,
    sends: INVALID,
    status: 400,
    says: { attr: 'name' },
  },
  {
    stage: 'the fields of a config, before the record',
    by: 'member',
    method: 'PATCH',
    path: `${CONFIGS}/987654`,
    sends: INVALID,
    status: 400,
    says: { attr: 'name' },
  },
  {
    stage: 'the fields of a collaborator, before the dashboard',
    by: 'member',
    method: 'POST',
    path: `${PATCH_404}/collaborators`,
    sends: INVALID,
    status: 400,
    says: { attr: 'user_uuid' },
  },
  {
    stage: 'the query, before the record',
    by: 'member',
    method: 'GET',
    path: `${PATCH_404}/activity?limit=x`,
    status: 400,
    says: { attr: 'limit' },
  },
  {
    stage: 'the record, before what may be done to it',
    by: 'member',
    method: 'PATCH',
    path: PATCH_404,
    sends: '{"restriction_level": 37}',
    status: 404,
    says: { detail: 'Not found.' },
  },
  {
    stage: 'the dashboard, before its collaborators',
    by: 'member',
    method: 'DELETE',
    path: `${PATCH_404}/collaborators/nobody`,
    status: 404,
    says: { detail: 'Dashboard not found.' },
  },
  {
    stage: 'the right to edit, before the rules of the change',
    by: 'member',
    method: 'PATCH',
    path: `${DASHBOARDS}/1`,
    sends: '{"use_template": "x", "use_dashboard": 1, "tiles": [{"id": 987654}]}',
    status: 403,
    says: { code: 'permission_denied' },
  },
  {
    stage: 'the right to edit, before the existence of the collaborator',
    by: 'member',
    method: 'DELETE',
    path: `${DASHBOARDS}/1/collaborators/nobody`,
    status: 403,
    says: { code: 'permission_denied' },
  },
]

async function start() {
  const api = await startApp()
  // the app would wait for clients that are refused early and still sending
  onTestFinished(() => api.app.server.closeAllConnections())
  const memberOf = [await api.createProject()]
  await api.post(DASHBOARDS, { name: 'Restricted', restriction_level: 37 })
  return {
    api,
    nobody: api.withKey(undefined),
    wrongKey: api.withKey('phx_wrong'),
    expired: await api.as({ expiresAt: '2020-01-01T00:00:00.000Z', memberOf }),
    unscopedStranger: await api.as({ scopes: ['plugin:read'], memberOf }),
    limitedStranger: await api.as({ projects: memberOf, memberOf }),
    stranger: await api.as({ memberOf }),
    member: await api.as({}),
  }
}

describe('the order of checks', () => {
  it('follows the contract', async () => {
    const callers = await start()

    for (const { stage, by, method, path, sends, type, status, says } of refusals) {
      const caller: Client = callers[by]
      const response = await caller.request(
        method,
        path,
        sends,
        type ? { 'content-type': type } : {},
      )
      expect(response, `looks at ${stage}`).toMatchObject({ status, body: says })
    }
  })

  it('refuses a DELETE of a dashboard before looking it up, but after checking key, project and scope', async () => {
    const { api, nobody, unscopedStranger, stranger } = await start()

    expect((await nobody.delete(PATCH_404)).status).toBe(401)
    expect((await api.delete(`${NOWHERE}/1`)).status).toBe(404)
    expect((await unscopedStranger.delete(PATCH_404)).status).toBe(403)
    expect((await stranger.delete(PATCH_404)).status).toBe(403)
    for (const id of ['1', '987654', 'x', '%00']) {
      expect(await api.delete(`${DASHBOARDS}/${id}`)).toMatchObject({ status: 405, text: '' })
    }
  })

  it('lists the allowed methods with a 405', async () => {
    const { nobody } = await start()

    const { headers } = await nobody.request('PUT', DASHBOARDS)

    expect(headers.get('allow')).toBe('GET, HEAD, POST, OPTIONS')
  })
})
