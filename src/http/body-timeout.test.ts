import { connect, type Socket } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import Fastify, { type FastifyReply } from 'fastify'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { installBodyTimeout } from './body-timeout.ts'
import { serverOptions } from './server-options.ts'
import { installTurns } from './turns.ts'

const TIMEOUT_MS = 1000

async function start(): Promise<Socket> {
  const app = Fastify(serverOptions({ logLevel: 'silent', trustedProxy: undefined }))
  installTurns(app)
  installBodyTimeout(app, TIMEOUT_MS)
  const handler = async ({ body }: { body: unknown }) => body
  app.post('/short', { config: { scope: 'public' } }, handler)
  const slowly = { onRequest: () => sleep(2 * TIMEOUT_MS) }
  app.post('/busy', { config: { scope: 'public' }, ...slowly }, handler)
  app.post('/long', { config: { scope: 'public', allowsSlowBody: true } }, handler)
  await app.listen({ host: '127.0.0.1', port: 0 })
  const socket = connect((app.server.address() as { port: number }).port, '127.0.0.1')
  onTestFinished(async () => {
    socket.destroy()
    await app.close()
  })
  return socket
}

const headOf = (path: string, length: number): string =>
  `POST ${path} HTTP/1.1\r\nhost: x\r\ncontent-type: application/json\r\ncontent-length: ${length}\r\n\r\n`

/** Reads until the connection ends or the response is complete. */
async function readResponse(socket: Socket): Promise<string> {
  let text = ''
  for await (const chunk of socket) {
    text += chunk
    if (text.endsWith('}')) break
  }
  return text
}

/** Sends chunks for longer than the timeout. */
async function sendSlowly(socket: Socket): Promise<void> {
  for (let sent = 0; sent < 25 && socket.writable; sent++) {
    socket.write(' ')
    await sleep(TIMEOUT_MS / 10)
  }
  if (socket.writable) socket.write('{}')
}

describe('body timeout', () => {
  it.each(['/short', '/long'])('refuses a client that stops sending to %s', async (path) => {
    const socket = await start()

    socket.write(`${headOf(path, 10)}{`)

    expect(await readResponse(socket)).toMatch(/^HTTP\/1\.1 400 [\s\S]*"code":"bad_request"/)
  })

  it('leaves a request without a connection alone', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
    onTestFinished(() => void vi.useRealTimers())
    const app = Fastify(serverOptions({ logLevel: 'silent', trustedProxy: undefined }))
    installBodyTimeout(app, TIMEOUT_MS)
    const refuse = { onRequest: (_: unknown, reply: FastifyReply) => void reply.code(403).send() }
    app.post('/refused', { config: { scope: 'public' }, ...refuse }, async () => {})
    onTestFinished(() => app.close())

    const { statusCode } = await app.inject({ method: 'POST', url: '/refused', payload: { a: 1 } })
    expect(statusCode).toBe(403)

    expect(() => vi.advanceTimersByTime(2 * TIMEOUT_MS)).not.toThrow()
  })

  it('accepts a slow client on routes for files', async () => {
    const socket = await start()
    socket.on('error', () => {})

    socket.write(headOf('/long', 27))
    void sendSlowly(socket)

    expect(await readResponse(socket)).toMatch(/^HTTP\/1\.1 200 /)
  })

  it('ignores the time that the server takes', async () => {
    const socket = await start()

    socket.write(`${headOf('/busy', 2)}{}`)

    expect(await readResponse(socket)).toMatch(/^HTTP\/1\.1 200 /)
  })

  it('refuses a slow client on other routes', async () => {
    const socket = await start()
    socket.on('error', () => {})

    socket.write(headOf('/short', 27))
    void sendSlowly(socket)

    expect(await readResponse(socket)).toMatch(/^HTTP\/1\.1 400 /)
  })
})
