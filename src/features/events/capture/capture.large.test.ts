import { randomBytes } from 'node:crypto'
import { connect } from 'node:net'
import { gzipSync } from 'node:zlib'
import { describe, expect, it } from 'vitest'
import { startApp } from '../../../../test/support/app/app.ts'
import { type Capturing, startCapturing } from '../../../../test/support/data/capture.ts'

const MIB = 1024 * 1024
const good = { event: 'a', distinct_id: 'b' }
/** Larger than the head of a body. */
const filler = 'x'.repeat(100_000)
const large = { ...good, properties: { filler } }

const toBytes = (value: unknown) => new Uint8Array(Buffer.from(JSON.stringify(value)))
const toGzip = (value: unknown) => new Uint8Array(gzipSync(JSON.stringify(value)))

/** Sends the beginning of a body of 10 MiB and returns the response before the rest is sent. */
async function sendHead({ url }: Capturing, path: string, head: Uint8Array): Promise<string> {
  const { hostname, port } = new URL(url)
  const socket = connect({ host: hostname, port: Number(port) })
  socket.write(`POST ${path} HTTP/1.1\r\nhost: x\r\ncontent-length: ${10 * MIB}\r\n\r\n`)
  socket.write(head)
  try {
    for await (const chunk of socket) return String(chunk)
    return ''
  } finally {
    socket.destroy()
  }
}

describe('large capture bodies', () => {
  it.each([
    ['plain', toBytes],
    ['compressed', toGzip],
  ])('stores all events of a %s one, in their order', async (_, encode) => {
    const { send, stored, token } = await startCapturing()
    const batch = Array.from({ length: 900 }, (_, index) => ({
      ...good,
      event: `event ${index}`,
      timestamp: new Date(1_780_000_000_000 + index).toISOString(),
      properties: { index, text: 'é'.repeat(200), nested: { list: [index, null] } },
    }))

    const response = await send('/batch/', encode({ api_key: token, batch }))

    expect(response).toMatchObject({ status: 200, body: { status: 1 } })
    const events = (await stored()).toReversed()
    expect(events.map(({ event }) => event)).toEqual(batch.map(({ event }) => event))
    expect(events[7]?.properties).toMatchObject(batch[7]?.properties ?? {})
  })

  it.each([
    ['a list', (token: string) => [large, { ...good, token }]],
    ['a single event', (token: string) => ({ ...large, token })],
    ['a batch before the token', (token: string) => ({ batch: [large], api_key: token })],
    [
      'an escaped field',
      (token: string) => `{"b\\u0061tch":[${JSON.stringify(large)}],"token":"${token}"}`,
    ],
    [
      'spaces',
      (token: string) => `\n{ "api_key" : "${token}" , "batch" : [ ${JSON.stringify(large)} ] } \n`,
    ],
  ])('accepts %s', async (_, toBody) => {
    const { send, stored, token } = await startCapturing()

    expect((await send('/e/', toBody(token))).status).toBe(200)

    expect((await stored()).some(({ properties }) => properties.filler === filler)).toBe(true)
  })

  it('stores a repeated event once', async () => {
    const { send, stored, token } = await startCapturing()
    const event = { ...large, uuid: '019a0000-0000-7000-8000-000000000001' }

    await send('/batch/', { api_key: token, batch: [event, event] })
    await send('/batch/', { api_key: token, batch: [event] })

    expect(await stored()).toHaveLength(1)
  })

  it.each([
    ['an invalid event', [large, { event: 'a' }], 400, 'batch__1__distinct_id'],
    ['an event that is text', [large, 'event'], 400, 'batch__1'],
    [
      'a property of more than 1 MiB',
      [large, { ...good, properties: { a: 'x'.repeat(MIB) } }],
      413,
      'batch__1__properties',
    ],
    [
      '65 levels of nesting',
      [large, { ...good, properties: JSON.parse(`${'{"a":'.repeat(65)}1${'}'.repeat(65)}`) }],
      400,
      null,
    ],
    [
      'more than 100,000 values',
      [{ ...good, properties: { a: Array(100_001).fill(1) } }],
      413,
      null,
    ],
  ])('rejects %s and stores nothing of the request', async (_, batch, status, attr) => {
    const { send, stored, token } = await startCapturing()

    const response = await send('/batch/', { api_key: token, batch })

    expect(response).toMatchObject({ status, body: { attr } })
    expect(await stored()).toEqual([])
  })

  it.each([
    ['no closing brackets', (text: string) => text.slice(0, -2)],
    ['a wrong closing bracket', (text: string) => `${text.slice(0, -2)}}}`],
    ['trailing text', (text: string) => `${text}1`],
    ['a trailing comma', (text: string) => `${text.slice(0, -2)},]}`],
    ['an incomplete event', (text: string) => text.replace('"event"', '')],
    [
      'bytes that are not UTF-8',
      (text: string) => Buffer.from(text.replace('xxx', '\xff\xff\xff'), 'latin1'),
    ],
  ])('rejects a body with %s', async (_, damage) => {
    const { send, token } = await startCapturing()
    const body = damage(JSON.stringify({ api_key: token, batch: [good, large] }))

    const response = await send('/batch/', typeof body === 'string' ? body : new Uint8Array(body))

    expect(response).toMatchObject({ status: 400, body: { code: 'parse_error' } })
  })

  it('allows 10,000 events and names the limit when there are more', async () => {
    const { send, get, token } = await startCapturing()
    const body = (count: number) => ({ api_key: token, batch: Array(count).fill(good) })
    const detail = 'The request has more than 10,000 events.'

    const allowed = await send('/batch/', toGzip(body(10_000)))
    const refused = await send('/batch/', toGzip(body(10_001)))
    const small = await send('/batch/', `{"api_key":"${token}","batch":[${'1,'.repeat(10_000)}1]}`)

    expect(allowed.status).toBe(200)
    for (const response of [refused, small]) {
      expect(response).toMatchObject({ status: 413, body: { code: 'request_too_large', detail } })
    }
    const { body: page } = await get('events?limit=1')
    expect(page.results).toHaveLength(1)
  })

  it('rejects a body that unpacks to more than a hundred times its size', async () => {
    const { send, token } = await startCapturing()
    const properties = { spaces: ' '.repeat(5 * MIB) }

    const response = await send(
      '/batch/',
      toGzip({ api_key: token, batch: [{ ...good, properties }] }),
    )

    expect(response).toMatchObject({
      status: 413,
      body: { detail: 'The request body unpacks to more than 100 times its size.' },
    })
  })
})

describe('the token of a large capture body', () => {
  it.each([
    ['plain', Buffer.from(`{"api_key":"phc_unknown","batch":[{"event":"${filler}`)],
    ['a list', Buffer.from(`[{"token":"phc_unknown"},{"event":"${filler}`)],
    ['compressed', gzipSync(`{"api_key":"phc_unknown","batch":["${filler}"]}`)],
  ])('is refused before the rest is sent (%s)', async (_, head) => {
    const api = await startCapturing()
    // random bytes do not compress, so the head reaches 64 kB
    const noise = randomBytes(70_000)

    const response = await sendHead(api, '/batch', Buffer.concat([head, noise]))

    expect(response).toMatch(/^HTTP\/1.1 401 /)
    expect(response).toContain('No project has this token.')
  })

  it('is found only in the first 6 MiB', async () => {
    const { send, token } = await startCapturing()
    const batch = Array(70).fill({ ...good, properties: { filler } })

    const late = await send('/batch/', { batch, api_key: token })
    const early = await send('/batch/', { api_key: token, batch })

    expect(late).toMatchObject({ status: 401, body: { code: 'not_authenticated' } })
    expect(early.status).toBe(200)
  })

  it('is throttled by network if unknown, but not if known', async () => {
    const { send, token } = await startCapturing(startApp())
    expect((await send('/e/', { ...good, token })).status).toBe(200)
    for (let sent = 0; sent < 300; sent += 50) {
      await Promise.all(Array.from({ length: 50 }, () => send('/e/', { ...good, token: 'phc_x' })))
    }

    const unknown = await send('/e/', { ...good, token: 'phc_y' })
    const known = await send('/e/', { ...good, token })

    expect(unknown).toMatchObject({ status: 429, body: { code: 'throttled' } })
    expect(unknown.headers.get('retry-after')).toMatch(/^\d+$/)
    expect(known.status).toBe(200)
  })

  it('is the only part of a flags request that is read', async () => {
    const api = await startCapturing()
    const known = Buffer.from(`{"token":"${api.token}","person":"${filler}`)
    const unknown = Buffer.from(`{"token":"phc_unknown","person":"${filler}`)

    expect(await sendHead(api, '/flags', unknown)).toMatch(/^HTTP\/1.1 401 /)
    expect((await api.send('/flags', `${known}"}`)).status).toBe(200)
  })
})
