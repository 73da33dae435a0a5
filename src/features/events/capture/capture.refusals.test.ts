import { gzipSync } from 'node:zlib'
import { describe, expect, it } from 'vitest'
import { startCapturing } from '../../../../test/support/data/capture.ts'

const MIB = 1024 * 1024
const good = { event: 'a', distinct_id: 'b' }

/** The outermost is an object. */
const nested = (levels: number): unknown => {
  let value: unknown = 1
  for (let level = 0; level < levels; level++) value = (levels - level) % 2 ? { a: value } : [value]
  return value
}

describe('capture validation', () => {
  it.each([
    ['no event name', [good, { distinct_id: 'b' }], 400, 'batch__1__event'],
    ['an empty name', [{ ...good, event: '' }], 400, 'batch__0__event'],
    ['a name that is a number', [{ ...good, event: 7 }], 400, 'batch__0__event'],
    ['no distinct ID', [good, good, { event: 'a' }], 400, 'batch__2__distinct_id'],
    ['an empty distinct ID', [{ ...good, distinct_id: '' }], 400, 'batch__0__distinct_id'],
    [
      'a distinct ID that is an object',
      [{ ...good, distinct_id: {} }],
      400,
      'batch__0__distinct_id',
    ],
    ['properties that are a list', [{ ...good, properties: [] }], 400, 'batch__0__properties'],
    ['an event that is text', [good, 'event'], 400, 'batch__1'],
    ['an empty batch', [], 400, 'batch'],
    ['a batch that is an object', {}, 400, 'batch'],
    ['65 levels of nesting', [{ ...good, properties: nested(65) }], 400, null],
    ['10,000 levels of nesting', [{ ...good, properties: nested(10_000) }], 400, null],
    [
      'an event of more than 1 MiB',
      [good, { ...good, properties: { a: 'x'.repeat(MIB) } }],
      413,
      'batch__1__properties',
    ],
  ])('rejects %s and stores nothing of the request', async (_, batch, status, attr) => {
    const { send, stored, token } = await startCapturing()

    const response = await send('/batch/', { api_key: token, batch })

    expect(response).toMatchObject({ status, body: { attr } })
    expect(await stored()).toEqual([])
  })

  it('names the index in a list and the field of a single event', async () => {
    const { send, token } = await startCapturing()

    const list = await send('/e/', [{ ...good, token }, { distinct_id: 'b' }])
    const single = await send('/e/', { event: 'a', token })

    expect(list).toMatchObject({ status: 400, body: { attr: '1__event', code: 'required' } })
    expect(single).toMatchObject({ status: 400, body: { attr: 'distinct_id' } })
  })

  it('accepts 64 levels of nesting', async () => {
    const { send, token } = await startCapturing()

    expect((await send('/e/', { ...good, token, properties: nested(64) })).status).toBe(200)
  })

  it.each([
    ['no token', undefined, 'not_authenticated'],
    ['an unknown token', 'phc_unknown', 'authentication_failed'],
    ['a token with NUL', 'phc_\0', 'authentication_failed'],
    ['a token that is a number', 7, 'authentication_failed'],
    ['a personal key', 'phx_test', 'authentication_failed'],
  ])('rejects %s', async (_, api_key, code) => {
    const { send } = await startCapturing()

    const response = await send('/batch/', { api_key, batch: [good] })

    expect(response).toMatchObject({ status: 401, body: { code, type: 'authentication_error' } })
  })

  it('rejects events of different projects in one list', async () => {
    const { send, token } = await startCapturing()

    const response = await send('/e/', [
      { ...good, token },
      { ...good, token: 'phc_other' },
    ])

    expect(response).toMatchObject({ status: 400, body: { attr: 'token' } })
  })

  it.each([
    ['a truncated object', '{"token": '],
    ['a number', '7'],
    ['bytes that are not UTF-8', Buffer.from([0x7b, 0xff])],
    ['base64 of bytes that are not UTF-8', Buffer.from([0x7b, 0xff]).toString('base64')],
    ['truncated gzip', gzipSync('{"a":1}').subarray(0, 15)],
    ['gzip of plain text', gzipSync('hello')],
    ['a form without data', 'data=&x=1'],
    ['a million levels of nesting', '['.repeat(1_000_000)],
  ])('rejects %s', async (_, body) => {
    const { send } = await startCapturing()

    const sent = typeof body === 'string' ? body : new Uint8Array(body)

    expect(await send('/e/', sent)).toMatchObject({ status: 400, body: { code: 'parse_error' } })
  })

  it('rejects more than 20 MiB, compressed or not', async () => {
    const { send } = await startCapturing()
    const large = Buffer.alloc(20 * MIB + 1, ' ')

    const plain = await send('/batch/', new Uint8Array(large))
    const packed = await send('/batch/', new Uint8Array(gzipSync(large)))
    const inBase64 = await send(
      '/e/',
      `data=${encodeURIComponent(gzipSync(large).toString('base64'))}`,
    )

    for (const response of [plain, packed, inBase64]) {
      expect(response).toMatchObject({ status: 413, body: { code: 'request_too_large' } })
    }
    expect(plain.body.detail).toBe('The request body is larger than 20 MiB.')
  })

  it('rejects other methods', async () => {
    const { url } = await startCapturing()

    const wrong = await fetch(`${url}/batch/`)

    expect([wrong.status, wrong.headers.get('allow')]).toEqual([405, 'POST, OPTIONS'])
  })
})
