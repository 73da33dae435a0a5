import { once } from 'node:events'
import { type ClientRequest, type IncomingMessage, request } from 'node:http'
import { json } from 'node:stream/consumers'
import { describe, expect, it, vi } from 'vitest'
import { type Server, startServer, toEnv } from '../cli.ts'
import { OWNER } from '../owner.ts'
import { storageOptions } from '../storage.ts'

describe('a server that gets SIGTERM', () => {
  it('finishes running requests but accepts no new ones', async () => {
    const server = await startServer(toEnv(await storageOptions('sqlite')))
    const slow = await beginRequest(server)

    const exit = server.stop('SIGTERM')
    await vi.waitFor(() => expect(fetch(`${server.url}/_health`)).rejects.toThrow())
    slow.end('"slow"}')

    const [answer] = (await once(slow, 'response')) as [IncomingMessage]
    expect(answer.statusCode).toBe(201)
    expect(await json(answer)).toMatchObject({ name: 'slow' })
    expect(await exit).toBe(0)
    expect(server.stderr()).toContain('SIGTERM: draining')
  })

  it('does not wait for idle connections', async () => {
    const server = await startServer(toEnv(await storageOptions('sqlite')))
    await server.call(OWNER.apiKey, '/api/projects') // fetch keeps the connection open

    expect(await server.stop('SIGINT')).toBe(0)
  })

  it('ends at once on a second signal', async () => {
    const server = await startServer(toEnv(await storageOptions('sqlite')))
    const slow = await beginRequest(server)
    slow.on('error', () => {}) // its connection is cut

    const exit = server.stop()
    const insist = setInterval(() => server.process.kill('SIGTERM'), 50)

    expect(await exit).toBe(1)
    clearInterval(insist)
  })
})

/** Sends half a body and returns when the server has started to read it. */
async function beginRequest(server: Server): Promise<ClientRequest> {
  const slow = request(`${server.url}/api/environments/1/dashboards`, {
    method: 'POST',
    agent: false,
    headers: {
      authorization: `Bearer ${OWNER.apiKey}`,
      'content-type': 'application/json',
      'content-length': '{"name":"slow"}'.length,
      expect: '100-continue',
    },
  })
  slow.flushHeaders()
  await once(slow, 'continue')
  slow.write('{"name":')
  return slow
}
