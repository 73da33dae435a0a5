import { describe, expect, it } from 'vitest'
import { FAILURES_PER_MINUTE } from '#server/access/throttle.ts'
import { type Client, DASHBOARDS, startApp, type TestResponse, useApp } from '../support/app/app.ts'

type Refused = [
  what: string,
  ask: (api: Client) => Promise<unknown>,
  status: number,
  type: string,
  code: string,
  detail: string,
  attr: string | null,
]

const COLLABORATORS = `${DASHBOARDS}/1/collaborators`
const INVALID = 'validation_error'

const BODIES: readonly Refused[] = [
  [
    'an unknown path',
    (api) => api.get('/api/nothing'),
    ...([404, 'invalid_request', 'not_found', 'Endpoint not found.', null] as const),
  ],
  [
    'an unknown path outside the API',
    (api) => api.get('/nothing'),
    ...([404, 'invalid_request', 'not_found', 'Endpoint not found.', null] as const),
  ],
  [
    'an unknown project',
    (api) => api.get('/api/projects/7/dashboards'),
    ...([404, 'invalid_request', 'not_found', 'Project not found.', null] as const),
  ],
  [
    'a project that is no number',
    (api) => api.get('/api/environments/one/dashboards'),
    ...([404, 'invalid_request', 'not_found', 'Project not found.', null] as const),
  ],
  [
    'an unknown dashboard',
    (api) => api.get(`${DASHBOARDS}/7`),
    ...([404, 'invalid_request', 'not_found', 'Not found.', null] as const),
  ],
  [
    'an unknown dashboard in a nested path',
    (api) => api.get(`${DASHBOARDS}/7/sharing`),
    ...([404, 'invalid_request', 'not_found', 'Dashboard not found.', null] as const),
  ],
  [
    'an unsupported method',
    (api) => api.request('PUT', DASHBOARDS, {}),
    ...([405, 'invalid_request', 'method_not_allowed'] as const),
    ...(['Method "PUT" not allowed.', null] as const),
  ],
  [
    'a missing field',
    (api) => api.post(COLLABORATORS, { user_uuid: 'x' }),
    ...([400, INVALID, 'required', 'This field is required.', 'level'] as const),
  ],
  [
    'null',
    (api) => api.post(DASHBOARDS, { description: null }),
    ...([400, INVALID, 'null', 'This field may not be null.', 'description'] as const),
  ],
  [
    'a number for a text',
    (api) => api.post(DASHBOARDS, { name: 7 }),
    ...([400, INVALID, 'invalid_input', 'Not a valid string.', 'name'] as const),
  ],
  [
    'a text that is too long',
    (api) => api.post(DASHBOARDS, { name: 'x'.repeat(401) }),
    ...([400, INVALID, 'max_length'] as const),
    ...(['Ensure this field has no more than 400 characters.', 'name'] as const),
  ],
  [
    'a text for an integer',
    (api) => api.post(DASHBOARDS, { use_dashboard: '1' }),
    ...([400, INVALID, 'invalid_input', 'A valid integer is required.', 'use_dashboard'] as const),
  ],
  [
    'a text for a boolean',
    (api) => api.post(DASHBOARDS, { pinned: 'true' }),
    ...([400, INVALID, 'invalid_input', 'Must be a valid boolean.', 'pinned'] as const),
  ],
  [
    'a level that does not exist',
    (api) => api.post(DASHBOARDS, { restriction_level: 99 }),
    ...([
      400,
      INVALID,
      'invalid_choice',
      '"99" is not a valid choice.',
      'restriction_level',
    ] as const),
  ],
  [
    'a text for a list',
    (api) => api.post(DASHBOARDS, { tags: 'x' }),
    ...([400, INVALID, 'not_a_list'] as const),
    ...(['Expected a list of items but got type "str".', 'tags'] as const),
  ],
  [
    'a number within a list of texts',
    (api) => api.post(DASHBOARDS, { tags: ['x', 7] }),
    ...([400, INVALID, 'invalid_input', 'Not a valid string.', 'tags__1'] as const),
  ],
  [
    'what is no UUID',
    (api) => api.post(COLLABORATORS, { level: 21, user_uuid: 'x' }),
    ...([400, INVALID, 'invalid_input', 'Must be a valid UUID.', 'user_uuid'] as const),
  ],
  [
    'a body that is a list',
    (api) => api.post(DASHBOARDS, []),
    ...([400, INVALID, 'invalid_input'] as const),
    ...(['Invalid data. Expected a dictionary, but got list.', null] as const),
  ],
  [
    'a body that is null',
    (api) => api.post(DASHBOARDS, 'null'),
    ...([400, INVALID, 'invalid_input'] as const),
    ...(['Invalid data. Expected a dictionary, but got NoneType.', null] as const),
  ],
  [
    'another media type',
    (api) => api.post(DASHBOARDS, 'x', { 'content-type': 'text/plain; charset=x' }),
    ...([415, 'invalid_request', 'unsupported_media_type'] as const),
    ...(['Unsupported media type "text/plain; charset=x" in request.', null] as const),
  ],
  [
    'a media type that is none',
    (api) => api.post(DASHBOARDS, 'x', { 'content-type': 'json' }),
    ...([415, 'invalid_request', 'unsupported_media_type'] as const),
    ...(['Unsupported media type "json" in request.', null] as const),
  ],
  [
    'a body over 1 MiB',
    (api) => api.post(DASHBOARDS, { description: 'x'.repeat(1024 * 1024) }),
    ...([413, 'invalid_request', 'request_too_large'] as const),
    ...(['The request body is larger than 1 MiB.', null] as const),
  ],
]

describe('an error', () => {
  it('has the detail that clients know', async () => {
    const api = await startApp()
    await api.post(DASHBOARDS, { name: 'One' })

    for (const [what, ask, status, type, code, detail, attr] of BODIES) {
      const response = (await ask(api)) as TestResponse
      expect({ what, status: response.status }).toEqual({ what, status })
      expect(response.body, what).toEqual({ type, code, detail, attr })
      expect(Object.keys(response.body)).toEqual(['type', 'code', 'detail', 'attr'])
    }
  })

  it('for a missing key explains how to authenticate', async () => {
    const api = await useApp()

    const { body, headers, status } = await api.withKey(undefined).get(DASHBOARDS)

    expect(status).toBe(401)
    expect(headers.get('www-authenticate')).toBe('Bearer')
    expect(headers.get('content-type')).toMatch(/^application\/json/)
    expect(body).toEqual({
      type: 'authentication_error',
      code: 'not_authenticated',
      detail: 'Authentication credentials were not provided.',
      attr: null,
    })
  })

  it('for a wrong key does not repeat the key', async () => {
    const api = await useApp()

    const { body, headers, status } = await api.withKey('phx_wrong').get(DASHBOARDS)

    expect(status).toBe(401)
    expect(headers.get('www-authenticate')).toBe('Bearer')
    expect(body).toEqual({
      type: 'authentication_error',
      code: 'authentication_failed',
      detail: 'Personal API key found in request Authorization header is invalid.',
      attr: null,
    })
  })

  it('for a missing scope names the scope', async () => {
    const api = await useApp(['dashboard:read'])

    const { body, status } = await api.post(DASHBOARDS, {})

    expect(status).toBe(403)
    expect(body).toEqual({
      type: 'authentication_error',
      code: 'permission_denied',
      detail: "API key missing required scope 'dashboard:write'",
      attr: null,
    })
  })

  it('throttles an IP address with too many wrong keys, but not a valid key', async () => {
    const api = await startApp()
    await api.get(DASHBOARDS)
    const newcomer = await api.as({})
    await api.get(DASHBOARDS)
    const wrong = (count: number) => api.withKey(`phx_wrong${count}`).get(DASHBOARDS)
    for (let count = 0; count < FAILURES_PER_MINUTE; count++) {
      expect((await wrong(count)).status).toBe(401)
    }

    const { status, body, headers } = await wrong(FAILURES_PER_MINUTE)

    expect(status).toBe(429)
    const seconds = Number(headers.get('retry-after'))
    expect(seconds).toBeGreaterThan(0)
    expect(seconds).toBeLessThanOrEqual(60)
    expect(body).toEqual({
      type: 'throttled_error',
      code: 'throttled',
      detail: `Request was throttled. Expected available in ${seconds} seconds.`,
      attr: null,
    })
    expect((await newcomer.get(DASHBOARDS)).status).toBe(429)
    expect((await api.get(DASHBOARDS)).status).toBe(200)
  })
})
