import { describe, expect, it } from 'vitest'
import { useApp } from '../support/app/app.ts'
import { OWNER } from '../support/app/owner.ts'

const WRITTEN = ['lower', 'upper', 'as usual'] as const

const write = (scheme: string, how: (typeof WRITTEN)[number]): string =>
  how === 'lower' ? scheme.toLowerCase() : how === 'upper' ? scheme.toUpperCase() : scheme

describe('the scheme of the Authorization header', () => {
  it.each(WRITTEN)('is recognized in %s case wherever a key or token is sent', async (how) => {
    const api = await useApp()
    const nobody = api.withKey(undefined)
    const { body: project } = await api.get(`/api/projects/${api.projectId}`)
    const bearer = (token: string) => ({ authorization: `${write('Bearer', how)} ${token}` })
    const encoded = Buffer.from(`${project.api_token}:`).toString('base64')
    const basic = { authorization: `${write('Basic', how)} ${encoded}` }
    const ping = { jsonrpc: '2.0', id: 1, method: 'ping' }
    const event = { event: 'visited', distinct_id: 'ada' }
    const message = { type: 'track', event: 'visited', userId: 'ada' }

    const answered = {
      api: await nobody.get('dashboards', bearer(OWNER.apiKey)),
      mcp: await nobody.post('/mcp', ping, bearer(OWNER.apiKey)),
      capture: await nobody.post(
        '/i/v1/analytics/events',
        { batch: [event] },
        bearer(project.api_token),
      ),
      segment: await nobody.post('/v1/batch', { batch: [message] }, basic),
    }

    expect(Object.values(answered).map(({ status }) => status)).toEqual([200, 200, 200, 200])
  })
})
