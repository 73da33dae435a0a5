import { createServer, type RequestListener, type Server } from 'node:http'
import { createServer as createTlsServer } from 'node:https'
import type { AddressInfo } from 'node:net'
import { describe, expect, it, onTestFinished } from 'vitest'
import { createCertificate } from '../../test/support/servers/certificate.ts'
import { createEgress, type EgressOptions } from './egress.ts'
import { readBody, readUpTo } from './read-body.ts'
import { sendRequest } from './send-request.ts'

async function listen(server: Server): Promise<string> {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(async () => {
    server.closeAllConnections()
    await new Promise((resolve) => server.close(resolve))
  })
  return `127.0.0.1:${(server.address() as AddressInfo).port}`
}

const serve = (handler: RequestListener) => listen(createServer(handler))

function get(url: string, options: Partial<EgressOptions> = {}) {
  const egress = createEgress({ allowedHosts: ['127.0.0.1', 'shop.example'], ...options })
  onTestFinished(() => egress.close())
  return sendRequest(egress, {
    url: new URL(url),
    method: 'GET',
    headers: new Map(),
    payload: undefined,
    redirect: 'follow',
    maxRedirects: 3,
    signal: AbortSignal.timeout(60_000),
  })
}

const failing = (code: string) => async () => {
  throw Object.assign(new Error(`getaddrinfo ${code} shop.example`), { code })
}

const redirectForever: RequestListener = (_, response) =>
  void response.writeHead(302, { location: '/' }).end()

const FAULTS: [string, boolean, RegExp, () => Promise<unknown>][] = [
  [
    'a resolver that is away',
    true,
    /reason: the name shop\.example could not be resolved just now$/,
    () => get('http://shop.example', { lookup: failing('EAI_AGAIN') }),
  ],
  [
    'a name that does not exist',
    false,
    /^Invalid hostname: shop\.example$/,
    () => get('http://shop.example', { lookup: failing('ENOTFOUND') }),
  ],
  ['a refused connection', true, /ECONNREFUSED/, () => get('http://127.0.0.1:1')],
  ['a private address', false, /^Internal hostname/, () => get('http://10.0.0.1')],
  [
    'a connection that breaks before the response',
    true,
    /other side closed$/,
    async () => get(`http://${await serve((request) => request.socket.destroy())}`),
  ],
  [
    'a redirect loop',
    false,
    /^maximum redirect reached/,
    async () => get(`http://${await serve(redirectForever)}`),
  ],
  [
    'a certificate that is not trusted',
    false,
    /self-signed certificate/,
    async () => get(`https://${await listen(createTlsServer(createCertificate()))}`),
  ],
  [
    'a server that does not speak TLS',
    false,
    /reason: /,
    async () => get(`https://${await serve((_, response) => response.end())}`),
  ],
]

describe('an outgoing request', () => {
  it.each(FAULTS)('to %s may be retried: %s', async (_, isTemporary, message, request) => {
    const error = await request().catch((reason: unknown) => reason)

    expect(error).toMatchObject({ isTemporary, message: expect.stringMatching(message) })
  })

  it('says where a body broke off', async () => {
    const host = await serve((request, response) => {
      response.writeHead(200, { 'content-length': 100 })
      response.write('half', () => request.socket.destroy())
    })
    const { url, response } = await get(`http://${host}/items?key=hidden`)

    const error = await readUpTo(url, response.body, 1000).catch((reason: unknown) => reason)

    expect(error).toMatchObject({
      isTemporary: true,
      message: `http://${host}/items broke off after 4 bytes (other side closed)`,
    })
  })

  it('says where a body has stalled', async () => {
    const host = await serve((_, response) => void response.write('half'))
    const { url, response } = await get(`http://${host}/items`)

    const reading = Array.fromAsync(readBody(url, response.body, { maxWaitMs: 50 }))

    await expect(reading).rejects.toMatchObject({
      isTemporary: true,
      message: `http://${host}/items stopped after 4 bytes and sent nothing for 0.05 s`,
    })
  })
})
