import { gzipSync } from 'node:zlib'
import { describe, expect, it } from 'vitest'
import { startCapturing } from '../../../../../test/support/data/capture.ts'

const MIB = 1024 * 1024
const good = { type: 'track', event: 'a', userId: 'b' }
const basic = (user: string) => ({
  authorization: `Basic ${Buffer.from(`${user}:`).toString('base64')}`,
})
const nested = (levels: number): unknown => (levels === 0 ? 1 : { a: nested(levels - 1) })

describe("Segment's endpoints refuse", () => {
  it.each([
    ['no ID', [good, { ...good, userId: '' }], 400, 'batch__1__userId'],
    ['an ID that is an object', [{ ...good, userId: {} }], 400, 'batch__0__distinct_id'],
    ['no type', [{ ...good, type: undefined }], 400, 'batch__0__type'],
    ['an unknown type', [{ ...good, type: 'constructor' }], 400, 'batch__0__type'],
    ['a type that is a list', [{ ...good, type: ['track'] }], 400, 'batch__0__type'],
    ['no name of an event', [{ ...good, event: undefined }], 400, 'batch__0__event'],
    ['no group', [{ ...good, type: 'group' }], 400, 'batch__0__groupId'],
    ['no previous ID', [{ ...good, type: 'alias' }], 400, 'batch__0__previousId'],
    ['properties that are text', [{ ...good, properties: 'x' }], 400, 'batch__0__properties'],
    ['traits that are a list', [{ ...good, traits: [] }], 400, 'batch__0__traits'],
    ['a context that is a number', [{ ...good, context: 7 }], 400, 'batch__0__context'],
    ['a message that is null', [good, null], 400, 'batch__1'],
    ['an empty batch', [], 400, 'batch'],
    ['a batch that is an object', {}, 400, 'batch'],
    ['65 levels of nesting', [{ ...good, properties: nested(65) }], 400, null],
    [
      'a large message',
      [{ ...good, properties: { a: 'x'.repeat(MIB) } }],
      413,
      'batch__0__properties',
    ],
  ])('%s, and store nothing of the request', async (_, batch, status, attr) => {
    const { send, stored, token } = await startCapturing()

    const response = await send('/v1/batch', { batch }, basic(token))

    expect(response).toMatchObject({ status, body: { attr } })
    expect(await stored()).toEqual([])
  })

  it.each([
    ['no token', {}, {}, 'not_authenticated'],
    ['an unknown user name', basic('phc_unknown'), {}, 'authentication_failed'],
    ['an unknown writeKey', {}, { writeKey: 'phc_unknown' }, 'authentication_failed'],
    ['a header that is not base64', { authorization: 'Basic é' }, {}, 'not_authenticated'],
  ])('%s', async (_, headers, key, code) => {
    const { send } = await startCapturing()

    const response = await send('/v1/batch', { batch: [good], ...key }, headers)

    expect(response).toMatchObject({ status: 401, body: { code } })
  })

  it('a large body with an unknown token', async () => {
    const { send } = await startCapturing()
    const body = {
      writeKey: 'phc_unknown',
      batch: [{ ...good, properties: { a: 'x'.repeat(MIB / 2) } }],
    }

    expect((await send('/v1/batch', body)).status).toBe(401)
    expect((await send('/v1/batch', body, basic('phc_other'))).status).toBe(401)
  })

  it('a body that unpacks to more than 20 MiB', async () => {
    const { send, token } = await startCapturing()
    const packed = new Uint8Array(gzipSync(Buffer.alloc(20 * MIB + 1, ' ')))

    const response = await send('/v1/batch', packed, basic(token))

    expect(response).toMatchObject({ status: 413, body: { code: 'request_too_large' } })
  })

  it.each(['[]', '7', '{"batch"', '"x"'])('the body %s', async (body) => {
    const { send, token } = await startCapturing()

    expect((await send('/v1/track', body, basic(token))).status).toBe(400)
  })
})
