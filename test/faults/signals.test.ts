import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { Agent, type ClientRequest, type IncomingMessage, request } from 'node:http'
import type { Readable } from 'node:stream'
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
    await vi.waitFor(() => expect(fetch(`${server.url}/_health`)).rejects.toThrow(), 10_000)
    slow.end('"slow"}')

    const [response] = (await once(slow, 'response')) as [IncomingMessage]
    expect(response.statusCode).toBe(201)
    expect(await json(response)).toMatchObject({ name: 'slow' })
    expect(await exit).toBe(0)
    expect(server.stderr()).toContain('SIGTERM: draining')
  })

  it('does not wait for idle connections', async () => {
    const server = await startServer(toEnv(await storageOptions('sqlite')))
    await server.call(OWNER.apiKey, '/api/projects') // fetch keeps the connection open

    expect(await server.stop('SIGINT')).toBe(0)
  })

  it('responds to every request on keep-alive connections', async () => {
    const server = await startServer(toEnv(await storageOptions('sqlite')))
    const clients = Array.from({ length: 20 }, () => sendUntilClosed(server))
    await vi.waitFor(() => expect(clients.every(({ count }) => count() > 5)).toBe(true), 10_000)

    expect(await server.stop()).toBe(0)

    const ends = await Promise.all(clients.map(({ end }) => end))
    expect(ends.map(({ code }) => code)).toEqual(clients.map(() => 'ECONNREFUSED'))
    expect(server.stderr()).not.toContain('closing the remaining connections')
  })

  it('cuts off a request that never ends', async () => {
    const server = await startServer(toEnv(await storageOptions('sqlite')))
    const slow = await beginRequest(server)
    const cut = once(slow, 'error')

    expect(await server.stop()).toBe(0)

    await cut
    expect(server.stderr()).toContain('closing the remaining connections')
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

describe('npm start', () => {
  it('ends the server when npm gets SIGTERM', async () => {
    const npm = spawn('npm', ['start'], {
      env: { ...process.env, HEDGEROW_PORT: '0', ...toEnv(await storageOptions('sqlite')) },
      stdio: ['ignore', 'pipe', 'ignore'],
    })
    const url = await readUrl(npm.stdout)

    npm.kill('SIGTERM')
    await once(npm, 'close') // the server holds the other end of the pipe

    await expect(fetch(`${url}/_health`)).rejects.toThrow()
  })
})

async function readUrl(output: Readable): Promise<string> {
  let text = ''
  for await (const chunk of output) {
    text += chunk
    const url = /ready at (\S+)/.exec(text)?.[1]
    if (url) return url
  }
  throw new Error(`The server did not start: ${text}`)
}

interface KeptClient {
  count(): number
  /** Resolves with the error that ended the client. */
  readonly end: Promise<NodeJS.ErrnoException>
}

/** Sends one request after another on a keep-alive connection, and opens a new one when it is closed. */
function sendUntilClosed(server: Server): KeptClient {
  const agent = new Agent({ keepAlive: true, maxSockets: 1 })
  let count = 0
  const send = async (): Promise<NodeJS.ErrnoException> => {
    for (;;) {
      const sent = request(`${server.url}/api/projects`, {
        agent,
        headers: { authorization: `Bearer ${OWNER.apiKey}` },
      }).end()
      try {
        const [response] = (await once(sent, 'response')) as [IncomingMessage]
        expect(response.statusCode).toBe(200)
        await json(response)
        count++
      } catch (error) {
        return error as NodeJS.ErrnoException
      }
    }
  }
  return { count: () => count, end: send() }
}

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
