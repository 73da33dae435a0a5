import { describe, expect, it } from 'vitest'
import { recordServices, runBody, startServer } from './apps.ts'

const LOCAL = { allowedHosts: ['127.0.0.1'] }

describe('posthog.api', () => {
  const own = (origin: string) =>
    recordServices({
      apiAccess: async () => ({ origin, personalKey: 'phx_own', projectToken: 'phc_own' }),
    })

  it('calls the service with its own keys, which the app never sees', async () => {
    const { origin, requests } = await startServer((_, response) => response.end('{}'))

    const { outcome } = await runBody(
      `await posthog.api.get('/api/projects/@current/events', { data: { limit: 5 } })
       await posthog.api.post('api/annotation', { data: { a: 1 }, headers: { 'X-A': 'b' } })
       await posthog.api.delete('/api/x', { data: { a: 1 } })`,
      { services: own(origin) },
    )

    expect(outcome).toEqual({ ended: 'succeeded' })
    expect(requests.map(({ method, url, body }) => [method, url, body])).toEqual([
      ['GET', '/api/projects/7/events?limit=5&token=phc_own', ''],
      ['POST', '/api/annotation?token=phc_own', '{"a":1}'],
      ['DELETE', '/api/x?token=phc_own', ''],
    ])
    expect(requests[1]?.headers).toMatchObject({
      authorization: 'Bearer phx_own',
      'content-type': 'application/json',
      'x-a': 'b',
    })
  })

  it("calls another host with the given keys, never with the service's own", async () => {
    const { origin, requests } = await startServer((_, response) => response.end('{}'))

    const { messages } = await runBody(
      `const keys = { projectApiKey: 'phc_given', personalApiKey: 'phx_given' }
       await posthog.api.get('/a', { host: '${origin}', ...keys })
       const logError = (error) => console.log(error.message)
       await posthog.api.get('/b', { host: '${origin}' }).catch(logError)
       await posthog.api.get('/c', { projectApiKey: 'x' }).catch(logError)
       await posthog.api.get('${origin}/d').catch(logError)
       await posthog.api.get('//${origin.slice(7)}/e').catch(logError)`,
      { ...LOCAL, services: own('http://hedgerow.example') },
    )

    expect(requests.map(({ url }) => url)).toEqual(['/a?token=phc_given'])
    expect(requests[0]?.headers.authorization).toBe('Bearer phx_given')
    expect(messages()).toEqual([
      'Specify a projectApiKey and a personalApiKey when you specify a host.',
      'You must specify a personalApiKey if you specify a projectApiKey and vice-versa!',
      `'${origin}/d' is not a path.`,
      `'//${origin.slice(7)}/e' is not a path.`,
    ])
  })
})
