import { describe, expect, it } from 'vitest'
import { startApp } from '../support/app/app.ts'
import { OWNER } from '../support/app/owner.ts'
import { DASHBOARDS } from './paths.ts'
import { send, sendBytes } from './raw.ts'

const AUTHORIZATION = `Authorization: Bearer ${OWNER.apiKey}`
const POST = `POST ${DASHBOARDS} HTTP/1.1\r\nHost: x\r\n${AUTHORIZATION}\r\nContent-Type: application/json\r\n`

const BROKEN: readonly [what: string, bytes: string | Buffer][] = [
  ['no HTTP at all', 'HELLO\r\n\r\n'],
  ['a TLS greeting', Buffer.from('1603010200010001fc0303', 'hex')],
  ['no Host', `GET ${DASHBOARDS} HTTP/1.1\r\nConnection: close\r\n\r\n`],
  ['a space in the path', 'GET /a b HTTP/1.1\r\nHost: x\r\n\r\n'],
  ['an unknown version', 'GET / HTTP/3.9\r\nHost: x\r\n\r\n'],
  ['a header without a colon', 'GET / HTTP/1.1\r\nHost: x\r\nnonsense\r\n\r\n'],
  ['NUL in a header', 'GET / HTTP/1.1\r\nHost: x\r\nA: \0\r\n\r\n'],
  ['a URL that is too long', `GET /${'a'.repeat(20_000)} HTTP/1.1\r\nHost: x\r\n\r\n`],
  ['a header that is too long', `GET / HTTP/1.1\r\nHost: x\r\nA: ${'a'.repeat(20_000)}\r\n\r\n`],
  ['too many headers', `GET / HTTP/1.1\r\nHost: x\r\n${'A: aaaaaaaa\r\n'.repeat(2000)}\r\n`],
  ['a length that is no number', `${POST}Content-Length: abc\r\n\r\n{}`],
  ['two lengths', `${POST}Content-Length: 2\r\nContent-Length: 3\r\n\r\n{}`],
  ['length and chunks', `${POST}Content-Length: 2\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n`],
  ['a broken chunk', `${POST}Transfer-Encoding: chunked\r\n\r\nZZ\r\n`],
]

const authorization = `Bearer ${OWNER.apiKey}`

const NO_IDS = [
  '1'.repeat(17),
  '9'.repeat(500),
  'x'.repeat(5000),
  '%00',
  '%2f',
  '1%2F',
  '..',
  '1;a',
]
const NO_HOSTS = ['a b', '"<x>"', 'x/y', 'x?y', 'u:p@x', 'x:123456', '[::1', 'é', ' ']
const HOSTS = ['x', 'x.example:8000', '127.0.0.1', '[::1]:8000', 'my_host']

async function start() {
  const api = await startApp()
  for (const name of ['a', 'b']) await api.post(DASHBOARDS, { name })
  const get = async (path: string, headers: Record<string, string> = {}) => {
    const got = await send(api.url, { method: 'GET', path, headers: { authorization, ...headers } })
    return { status: got.status, body: JSON.parse(got.text) }
  }
  return { api, get }
}

describe('a request', () => {
  it('that is malformed gets a JSON error and changes nothing', async () => {
    const { api } = await start()

    for (const [what, bytes] of BROKEN) {
      const got = await sendBytes(api.url, bytes)
      expect(got.status, what).toBe(400)
      expect(got.headers, what).toMatchObject({
        'x-content-type-options': 'nosniff',
        connection: 'close',
      })
      expect(JSON.parse(got.text), what).toEqual({
        type: 'invalid_request',
        code: 'bad_request',
        detail: expect.any(String),
        attr: null,
      })
    }

    expect((await api.get(DASHBOARDS)).body.count).toBe(2)
  })

  it('with an invalid URL gets a JSON error', async () => {
    const { get } = await start()

    for (const id of ['%', '%zz', '%ED%A0%80', '%ff', '1/%']) {
      const got = await get(`${DASHBOARDS}/${id}`)
      expect(got, id).toMatchObject({ status: 400, body: { code: 'bad_request', attr: null } })
    }
  })

  it('with an invalid ID is not found', async () => {
    const { get } = await start()

    for (const id of [...NO_IDS, encodeURIComponent('１')]) {
      const got = await get(`${DASHBOARDS}/${id}`)
      expect(got, id).toMatchObject({ status: 404, body: { detail: 'Not found.' } })
    }
  })

  it('with an unknown expectation is served', async () => {
    const { get } = await start()

    expect((await get('/_health', { expect: 'tea' })).status).toBe(200)
  })

  it('of HTTP 1.0 needs no Host header', async () => {
    const { api } = await start()

    const got = await sendBytes(api.url, 'GET /_health HTTP/1.0\r\n\r\n')

    expect(got).toMatchObject({ status: 200, text: '{"status":"ok"}' })
  })

  it('gets links to its Host header, if that is valid', async () => {
    const { get } = await start()
    const ask = (host: string) => get(`${DASHBOARDS}?limit=1`, { host })

    for (const host of HOSTS) {
      expect((await ask(host)).body.next).toBe(`http://${host}${DASHBOARDS}?limit=1&offset=1`)
    }
    for (const host of NO_HOSTS) {
      expect(await ask(host), host).toMatchObject({ status: 400, body: { code: 'bad_request' } })
    }
  })
})
