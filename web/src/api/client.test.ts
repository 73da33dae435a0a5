import { afterEach, describe, expect, it, vi } from 'vitest'
import { api } from './client.ts'

const reply = (body: object) => Promise.resolve(Response.json(body))

/** Stubs `fetch`, and the responses that the page has requested before the app was loaded. */
function serve(early: Readonly<Record<string, object>>) {
  vi.stubGlobal('fetch', () => reply({ from: 'app' }))
  const responses = Object.entries(early).map(([path, body]) => [path, reply(body)] as const)
  vi.stubGlobal('earlyResponses', new Map(responses))
  vi.spyOn(performance, 'now').mockReturnValue(500)
}

afterEach(() => {
  vi.unstubAllGlobals()
  vi.restoreAllMocks()
})

describe('api client', () => {
  it('takes a response that the page has requested early, once', async () => {
    serve({ '/api/users/@me': { from: 'page' } })

    expect(await api.get('/api/users/@me')).toEqual({ from: 'page' })
    expect(await api.get('/api/users/@me')).toEqual({ from: 'app' })
  })

  it('requests again what is not for the same parameters', async () => {
    serve({ '/api/projects?limit=1000': { from: 'page' } })

    expect(await api.get('/api/projects', { limit: 10 })).toEqual({ from: 'app' })
    expect(await api.get('/api/projects', { limit: 1000 })).toEqual({ from: 'page' })
  })

  it('drops early responses after a change', async () => {
    serve({ '/api/projects': { from: 'page' } })

    await api.post('/api/projects', {})

    expect(await api.get('/api/projects')).toEqual({ from: 'app' })
  })

  it('drops early responses that are old', async () => {
    serve({ '/api/projects': { from: 'page' } })
    vi.mocked(performance.now).mockReturnValue(60_000)

    expect(await api.get('/api/projects')).toEqual({ from: 'app' })
  })
})
