import {
  brotliCompressSync,
  constants,
  deflateRawSync,
  deflateSync,
  gzipSync,
  zstdCompressSync,
} from 'node:zlib'
import LZString from 'lz-string'
import { describe, expect, it } from 'vitest'
import { startCapturing } from '../../../../test/support/data/capture.ts'
import { MAX_BEFORE_TOKEN, MAX_BODY } from './body.ts'

const MIB = 1024 * 1024
/** The default quality takes ten times as long. */
const FAST_BROTLI = { params: { [constants.BROTLI_PARAM_QUALITY]: 5 } }
const COMPRESSIONS = [
  ['gzip', gzipSync],
  ['deflate', deflateSync],
  ['deflate', deflateRawSync],
  ['br', (text: string) => brotliCompressSync(text, FAST_BROTLI)],
  ['zstd', zstdCompressSync],
] as const

const toBytes = (bytes: Uint8Array) => new Uint8Array(bytes)
const encoded = (encoding: string) => ({ 'content-encoding': encoding })
const lz64 = (value: unknown) => LZString.compressToBase64(JSON.stringify(value))
const base64 = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64')
const form = { 'content-type': 'application/x-www-form-urlencoded' }
const event = { event: 'a', distinct_id: 'ada', properties: { text: 'é 😀 + /' } }
/** Does not compress to the head of a body. */
const noise = Array.from({ length: 100_000 }, (_, index) => (index * 7919) % 4391).join()

describe.each(COMPRESSIONS)('a body in %s', (encoding, compress) => {
  const pack = (value: unknown) => toBytes(compress(JSON.stringify(value)))

  it('is unpacked', async () => {
    const { send, stored, token } = await startCapturing()

    const { status } = await send('/batch/', pack({ ...event, token }), encoded(encoding))

    expect(status).toBe(200)
    expect(await stored()).toMatchObject([event])
  })

  it('is unpacked if it is large, and its token is found early or late', async () => {
    const { send, stored, token } = await startCapturing()
    const batch = [event, { ...event, properties: { noise } }]

    const early = await send('/batch/', pack({ api_key: token, batch }), encoded(encoding))
    const late = await send('/batch/', pack({ batch, api_key: token }), encoded(encoding))
    const unknown = await send('/batch/', pack({ api_key: 'phc_x', batch }), encoded(encoding))

    expect([early.status, late.status, unknown.status]).toEqual([200, 200, 401])
    const texts = (await stored()).map(({ properties }) => properties.noise)
    expect(texts.filter((text) => text === noise)).toHaveLength(2)
  })

  it('is rejected if it is truncated or empty', async () => {
    const { send, token } = await startCapturing()
    const packed = pack({ ...event, token, filler: noise.slice(0, 1000) })

    for (const body of [packed.subarray(0, packed.length / 2), packed.subarray(0, 5)]) {
      const response = await send('/batch/', toBytes(body), encoded(encoding))
      expect(response).toMatchObject({ status: 400, body: { code: 'parse_error' } })
    }
  })

  it('is rejected if it unpacks to more than allowed', async () => {
    const { send, token } = await startCapturing()
    const spaces = ' '.repeat(MAX_BODY)
    const start = ' '.repeat(MAX_BEFORE_TOKEN + MIB)

    const withToken = await send('/batch/', pack({ api_key: token, spaces }), encoded(encoding))
    const without = await send('/batch/', toBytes(compress(start)), encoded(encoding))

    expect([withToken.status, without.status]).toEqual([413, 413])
  })
})

describe('a body in lz64', () => {
  it.each([
    ['named in the URL', '/e/?compression=lz64', (value: unknown) => lz64(value)],
    [
      'named in a form',
      '/e/',
      (value: unknown) => `data=${encodeURIComponent(lz64(value))}&compression=lz64`,
    ],
    ['with spaces for plus', '/e/?compression=lz64', (value: unknown) => `data=${lz64(value)}`],
  ])('is unpacked if it is %s', async (_, path, pack) => {
    const { send, stored, token } = await startCapturing()

    const { status } = await send(path, pack({ ...event, token }), form)

    expect(status).toBe(200)
    expect(await stored()).toMatchObject([event])
  })

  it('is unpacked up to 2 MiB', async () => {
    const { send, token } = await startCapturing()
    const sized = (mib: number) => lz64({ ...event, token, filler: 'x'.repeat(mib * MIB) })
    const path = '/e/?compression=lz64'

    const [small, large] = [await send(path, sized(1), form), await send(path, sized(2.1), form)]

    expect(small.status).toBe(200)
    expect(large).toMatchObject({
      status: 413,
      body: { detail: 'A body in lz64 unpacks to at most 2 MiB.' },
    })
  })

  it.each(['', 'Q', '////', 'no base64 at all!', lz64(event).slice(0, 20)])(
    'is rejected if it is %j',
    async (body) => {
      const { send } = await startCapturing()

      const { status } = await send('/e/?compression=lz64', `data=${body}`, form)

      expect(status).toBe(400)
    },
  )
})

describe('a body in CESU-8', () => {
  /** Encodes each half of a surrogate pair separately, as older versions of posthog-js do before base64. */
  const cesu8 = (text: string) =>
    Buffer.concat(
      Array.from({ length: text.length }, (_, at) => {
        const unit = text.charCodeAt(at)
        return unit < 0xd800 || unit > 0xdfff
          ? Buffer.from(text.charAt(at))
          : Buffer.from([0xed, 0x80 | ((unit >> 6) & 0x3f), 0x80 | (unit & 0x3f)])
      }),
    )
  const text = 'é 😀 \u{10000} \u{10ffff} 👩‍👩‍👧 \ud7ff \ue000'
  const emoji = { event: 'emoji 😀', distinct_id: 'ada', properties: { text } }

  it.each([
    ['plain', (bytes: Buffer) => toBytes(bytes)],
    ['in base64', (bytes: Buffer) => `data=${encodeURIComponent(bytes.toString('base64'))}`],
    ['compressed', (bytes: Buffer) => toBytes(gzipSync(bytes))],
  ])('is read %s', async (_, pack) => {
    const { send, stored, token } = await startCapturing()

    const { status } = await send('/e/', pack(cesu8(JSON.stringify({ ...emoji, token }))))

    expect(status).toBe(200)
    expect(await stored()).toMatchObject([emoji])
  })

  it('is read if it is large', async () => {
    const { send, stored, token } = await startCapturing()
    const batch = [emoji, { ...emoji, properties: { text: '😀'.repeat(50_000) } }]

    const body = cesu8(JSON.stringify({ api_key: token, batch }))
    const { status } = await send('/batch/', toBytes(body))

    expect(status).toBe(200)
    expect((await stored()).map(({ properties }) => properties.text.length).toSorted()).toEqual(
      batch.map(({ properties }) => properties.text.length).toSorted(),
    )
  })

  it.each([
    ['a first half alone', [0xed, 0xa0, 0xbd]],
    ['a second half alone', [0xed, 0xb8, 0x80]],
    ['the halves in the wrong order', [0xed, 0xb8, 0x80, 0xed, 0xa0, 0xbd]],
    ['half a pair beside a pair', [0xed, 0xa0, 0xbd, 0xed, 0xb8, 0x80, 0xed, 0xa0, 0xbd]],
    ['a pair beside other bytes', [0xed, 0xa0, 0xbd, 0xed, 0xb8, 0x80, 0xff]],
  ])('is rejected with %s', async (_, bytes) => {
    const { send, token } = await startCapturing()
    const [before = '', after] = JSON.stringify({ ...emoji, event: '|', token }).split('|')

    const body = Buffer.concat([Buffer.from(before), Buffer.from(bytes), Buffer.from(after ?? '')])
    const response = await send('/e/', toBytes(body))

    expect(response).toMatchObject({
      status: 400,
      body: { detail: 'JSON parse error - the body is not UTF-8' },
    })
  })
})

describe('events in a URL', () => {
  it.each([
    ['base64', (value: unknown) => `data=${encodeURIComponent(base64(value))}`],
    ['JSON', (value: unknown) => `data=${encodeURIComponent(JSON.stringify(value))}&ip=1`],
    ['lz64', (value: unknown) => `compression=lz64&data=${encodeURIComponent(lz64(value))}`],
    [
      'gzip',
      (value: unknown) =>
        `data=${encodeURIComponent(gzipSync(JSON.stringify(value)).toString('base64'))}`,
    ],
  ])('are captured in %s', async (_, toQuery) => {
    const { url, stored, token } = await startCapturing()
    const paths = ['/e/', '/track/', '/capture/', '/i/v0/e/', '/engage/']

    for (const path of paths) {
      const response = await fetch(`${url}${path}?${toQuery({ ...event, token })}&_=${Date.now()}`)
      expect([path, response.status]).toEqual([path, 200])
      expect(response.headers.get('access-control-allow-origin')).toBe('*')
    }

    expect(await stored()).toMatchObject(paths.map(() => event))
  })

  it('are rejected if there are none, they are invalid or too large', async () => {
    const { url, token } = await startCapturing()
    const load = async (query: string) => (await fetch(`${url}/e/?${query}`)).status
    const bomb = gzipSync(JSON.stringify({ ...event, token, spaces: ' '.repeat(MIB) }))

    expect(await load('')).toBe(401)
    expect(await load('ip=1')).toBe(401)
    expect(await load('data=')).toBe(400)
    expect(await load('data=!!!')).toBe(400)
    expect(await load(`data=${base64({ ...event, token: 'phc_x' })}`)).toBe(401)
    expect(await load(`data=${encodeURIComponent(bomb.toString('base64'))}`)).toBe(413)
    expect((await fetch(`${url}/e/?data=x`, { method: 'HEAD' })).status).toBe(405)
  })
})
