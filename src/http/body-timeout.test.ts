import { connect, type Socket } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import Fastify from 'fastify'
import { describe, expect, it, onTestFinished } from 'vitest'
import { installBodyTimeout } from './body-timeout.ts'
import { serverOptions } from './server-options.ts'

const PATIENCE_MS = 1000

async function start(): Promise<Socket> {
  const app = Fastify(serverOptions({ logLevel: 'silent', trustedProxy: undefined }))
  installBodyTimeout(app, PATIENCE_MS)
  const handler = async ({ body }: { body: unknown }) => body
  app.post('/short', { config: { scope: 'public' } }, handler)
  const slowly = { onRequest: () => sleep(2 * PATIENCE_MS) }
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
async function answerOf(socket: Socket): Promise<string> {
  let text = ''
  for await (const some of socket) {
    text += some
    if (text.endsWith('}')) break
  }
  return text
}

/** Sends chunks for longer than the timeout. */
async function sendSlowly(socket: Socket): Promise<void> {
  for (let sent = 0; sent < 25 && socket.writable; sent++) {
    socket.write(' ')
    await sleep(PATIENCE_MS / 10)
  }
  if (socket.writable) socket.write('{}')
}

describe('a slow sender', () => {
  it.each(['/short', '/long'])('that stops sending gets an error at %s', async (path) => {
    const socket = await start()

    socket.write(`${headOf(path, 10)}{`)

    expect(await answerOf(socket)).toMatch(/^HTTP\/1\.1 400 [\s\S]*"code":"bad_request"/)
  })

  it('that keeps sending is accepted on routes for files', async () => {
    const socket = await start()
    socket.on('error', () => {})

    socket.write(headOf('/long', 27))
    void sendSlowly(socket)

    expect(await answerOf(socket)).toMatch(/^HTTP\/1\.1 200 /)
  })

  it('is not a client that waits for a slow server', async () => {
    const socket = await start()

    socket.write(`${headOf('/busy', 2)}{}`)

    expect(await answerOf(socket)).toMatch(/^HTTP\/1\.1 200 /)
  })

  it('that keeps sending is refused on other routes', async () => {
    const socket = await start()
    socket.on('error', () => {})

    socket.write(headOf('/short', 27))
    void sendSlowly(socket)

    expect(await answerOf(socket)).toMatch(/^HTTP\/1\.1 400 /)
  })
})
