import { randomBytes } from 'node:crypto'
import type { IncomingMessage } from 'node:http'
import { Readable } from 'node:stream'
import { setImmediate as turn } from 'node:timers/promises'
import { gzipSync } from 'node:zlib'
import { describe, expect, it } from 'vitest'
import { type CaptureDeps, captureEvents } from './capture.ts'
import { createReceiver } from './receive.ts'

const MIB = 1024 * 1024
const SENDER = { address: '127.0.0.1', clientTime: undefined, format: 'posthog' as const }

const toJson = (text: string) =>
  Buffer.from(JSON.stringify({ api_key: 'phc_known', batch: [{ event: text }] }))
const toGzip = (bytes: number) => gzipSync(toJson(randomBytes(bytes).toString('base64')))
const toBase64 = (bytes: Buffer) => Buffer.from(bytes.toString('base64'))

/** Captures three bodies and returns how many of them are converted at the same time. */
async function countConversions(body: Buffer): Promise<number> {
  const end = Promise.withResolvers<undefined>()
  let begun = 0
  const convert = () => {
    begun++
    return end.promise
  }
  const projects = { find: async () => 1, require: async () => 1 }
  const deps = { receiver: createReceiver((start) => start()), projects, converter: { convert } }
  const captures = Array.from({ length: 3 }, () => {
    const stream = Object.assign(Readable.from([body]), { headers: {} })
    return captureEvents(
      deps as unknown as CaptureDeps,
      SENDER,
      stream as unknown as IncomingMessage,
    )
  })
  const settled = Promise.allSettled(captures)
  for (let turns = 0; turns < 100 || begun === 0; turns++) await turn()
  const atOnce = begun
  end.resolve(undefined)
  await settled
  return atOnce
}

describe('large capture bodies', () => {
  it.each([
    ['one of the largest', toJson('x'.repeat(12 * MIB)), 1],
    ['three of 5 MiB', toJson('x'.repeat(5 * MIB)), 3],
    ['one with the highest unpacked size', toGzip(MIB), 1],
    ['one with the highest unpacked size, in base64', toBase64(toGzip(MIB)), 1],
  ])('are converted %s at a time', async (_, body, atOnce) => {
    expect(await countConversions(body)).toBe(atOnce)
  })
})

it('counts bodies while their tokens are checked', async () => {
  const receiver = createReceiver((start) => start())
  const check = Promise.withResolvers<number>()
  const receive = () => {
    const stream = Object.assign(Readable.from([Buffer.alloc(10 * MIB)]), { headers: {} })
    return receiver.receive(
      stream as unknown as IncomingMessage,
      () => check.promise,
      async () => 'received',
    )
  }
  const received = Array.from({ length: 4 }, receive)

  await expect(receive()).rejects.toThrow('Too many large requests at once.')

  check.reject(new Error('unknown token'))
  await Promise.allSettled(received)
  const later = receive()
  await expect(later).rejects.toThrow('unknown token')
})
