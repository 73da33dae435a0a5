import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { createHostStreams } from '#server/runtime/host/streams.ts'
import type { Channel } from '#server/runtime/process/channel.ts'
import { BrokenFrame, createFrameReader, toFrame } from '#server/runtime/wire/frames.ts'
import { MAX_CHUNK_LENGTH, STREAM_WINDOW, type ToApp } from '#server/runtime/wire/protocol.ts'

const frames = fc.array(
  fc.tuple(fc.integer({ min: 0, max: 255 }), fc.uint8Array({ maxLength: 50 })),
)

describe('frames', () => {
  it('are parsed the same however their bytes are split', () => {
    fc.assert(
      fc.property(frames, fc.array(fc.integer({ min: 1, max: 20 })), (sent, sizes) => {
        const bytes = Buffer.concat(sent.map(([kind, content]) => toFrame(kind, content)))
        const received: [number, number[]][] = []
        const read = createFrameReader(1000, (kind, content) => received.push([kind, [...content]]))

        let at = 0
        for (const size of sizes) {
          read(bytes.subarray(at, at + size))
          at += size
        }
        read(bytes.subarray(at))

        expect(received).toEqual(sent.map(([kind, content]) => [kind, [...content]]))
      }),
    )
  })

  it('are refused by their length before they are buffered', () => {
    const read = createFrameReader(100, () => {})

    expect(() => read(Buffer.from([0, 0, 0, 101]))).toThrow(BrokenFrame)
  })
})

describe('a stream from an app', () => {
  const start = () => {
    const sent: ToApp[] = []
    const streams = createHostStreams({
      send: (message: ToApp) => sent.push(message),
    } as unknown as Channel)
    const part = (stream: number, size: number) => {
      const content = Buffer.alloc(4 + size)
      content.writeUInt32BE(stream)
      streams.receive(content)
    }
    return { sent, streams, part }
  }

  it('buffers no more than its window', async () => {
    const { sent, streams, part } = start()
    const source = streams.accept(7, undefined)[Symbol.asyncIterator]()
    for (let size = 0; size < STREAM_WINDOW; size += MAX_CHUNK_LENGTH) part(7, MAX_CHUNK_LENGTH)

    expect(() => part(7, 1)).toThrow(BrokenFrame)
    await source.next()
    expect(sent).toEqual([
      { t: 'credit', stream: 7, bytes: STREAM_WINDOW },
      { t: 'credit', stream: 7, bytes: MAX_CHUNK_LENGTH },
    ])
  })

  it('buffers few chunks, however small they are', async () => {
    const { streams, part } = start()
    const source = streams.accept(7, undefined)[Symbol.asyncIterator]()
    part(7, 1)
    await source.next()

    const flood = (size: number) => () => {
      for (let count = 0; count < 5000; count += 1) part(7, size)
    }

    flood(0)()
    expect(flood(1)).toThrow(BrokenFrame)
  })

  it('is no longer than its length', async () => {
    const { sent, streams, part } = start()
    const source = streams.accept(7, 10)[Symbol.asyncIterator]()

    part(7, 10)
    await source.next()

    expect(sent).toEqual([{ t: 'credit', stream: 7, bytes: STREAM_WINDOW }])
    expect(() => part(7, 1)).toThrow(BrokenFrame)
  })

  it('is dropped if the host does not expect it', () => {
    const { part } = start()

    for (let i = 0; i < 100; i += 1) part(8, MAX_CHUNK_LENGTH)
  })

  it('cannot exceed its window with forged credit', async () => {
    let sent = 0
    const channel = {
      send: () => {},
      sendBytes: (_: number, part: Uint8Array) => (sent += part.length),
    }
    const streams = createHostStreams(channel as unknown as Channel)
    const endless = async function* () {
      while (true) yield Buffer.alloc(MAX_CHUNK_LENGTH)
    }
    void streams.pump(1, endless())

    streams.control({ t: 'credit', stream: 1, bytes: 2 ** 50 })
    await new Promise(setImmediate) // the pump waits for nothing else, so it has sent all it may

    expect(sent).toBeGreaterThan(0)
    expect(sent).toBeLessThanOrEqual(2 * STREAM_WINDOW)
    streams.abortAll()
  })
})
