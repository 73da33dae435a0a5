import type { Channel } from '../process/channel.ts'
import { BrokenFrame } from '../process/frames.ts'
import { MAX_CHUNK, STREAM_WINDOW, type StreamControl } from '../process/protocol.ts'

interface Outgoing {
  credit: number
  /** Nothing to send: whatever is sent comes from elsewhere, and that is what everybody waits for. */
  isHungry: boolean
  isRead: boolean
  isAborted: boolean
  wake: () => void
}

interface Incoming {
  readonly parts: Uint8Array[]
  held: number
  ended: boolean
  problem: string | undefined
  wake: () => void
}

/** Bodies of any size between the parent and an app's process. Neither side holds more than a window of each. */
export interface Streams {
  /** Sends all of it as the app reads it. Ends early when the app wants no more of it. */
  pump(stream: number, source: AsyncIterable<Uint8Array>): Promise<void>
  /** What the app sends under this id. Open before the app can have sent anything. */
  accept(stream: number): AsyncIterable<Uint8Array>
  /** How many wait for what is to be sent to the app, and not for the app. */
  readonly hungry: number
  /** Whether an app that was sent something has begun to read it. */
  isRead(stream: number): boolean
  receive(content: Buffer): void
  control(message: StreamControl): void
  /** No more is taken of what the app sends. */
  refuse(stream: number, message: string): void
  /** No more is sent of what the app was to read. */
  cancel(stream: number, message: string): void
  dropAll(): void
}

const nothing = () => {}

export function createStreams(channel: Channel): Streams {
  const outgoing = new Map<number, Outgoing>()
  const incoming = new Map<number, Incoming>()

  async function pump(stream: number, source: AsyncIterable<Uint8Array>): Promise<void> {
    const target: Outgoing = {
      credit: STREAM_WINDOW,
      isHungry: true,
      isRead: false,
      isAborted: false,
      wake: nothing,
    }
    outgoing.set(stream, target)
    try {
      for await (const whole of source) {
        target.isHungry = false
        for (let at = 0; at < whole.length; at += MAX_CHUNK) {
          const part = whole.subarray(at, at + MAX_CHUNK)
          while (target.credit < part.length && !target.isAborted) await next(target)
          if (target.isAborted) return
          target.credit -= part.length
          channel.sendBytes(stream, part)
        }
        target.isHungry = true
      }
      channel.send({ t: 'end', stream })
    } catch (error) {
      channel.send({ t: 'abort', stream, message: (error as Error).message })
    } finally {
      outgoing.delete(stream)
    }
  }

  async function* read(stream: number, source: Incoming): AsyncGenerator<Uint8Array> {
    try {
      while (true) {
        const part = source.parts.shift()
        if (part) {
          source.held -= part.length
          channel.send({ t: 'credit', stream, bytes: part.length })
          yield part
        } else if (source.problem !== undefined) throw new Error(source.problem)
        else if (source.ended) return
        else await next(source)
      }
    } finally {
      incoming.delete(stream)
    }
  }

  function control(message: StreamControl): void {
    const [source, target] = [incoming.get(message.stream), outgoing.get(message.stream)]
    if (message.t === 'credit' && target) {
      target.credit = Math.min(target.credit + message.bytes, STREAM_WINDOW)
      target.isRead = true
    }
    if (message.t === 'end' && source) source.ended = true
    if (message.t === 'abort') {
      if (source) source.problem = message.message
      if (target) target.isAborted = true
    }
    source?.wake()
    target?.wake()
  }

  return {
    pump,
    get hungry() {
      return [...outgoing.values()].filter(({ isHungry }) => isHungry).length
    },
    accept(stream) {
      const source: Incoming = {
        parts: [],
        held: 0,
        ended: false,
        problem: undefined,
        wake: nothing,
      }
      incoming.set(stream, source)
      return read(stream, source)
    },
    isRead: (stream) => outgoing.get(stream)?.isRead ?? true,
    receive(content) {
      if (content.length < 4) throw new BrokenFrame('a part of nothing')
      const source = incoming.get(content.readUInt32BE(0))
      if (!source) return
      source.held += content.length - 4
      if (source.held > STREAM_WINDOW) throw new BrokenFrame('more than there is room for')
      source.parts.push(content.subarray(4))
      source.wake()
    },
    control,
    refuse(stream, message) {
      const source = incoming.get(stream)
      if (!source?.ended) channel.send({ t: 'abort', stream, message })
      incoming.delete(stream)
    },
    cancel(stream, message) {
      if (outgoing.has(stream)) channel.send({ t: 'abort', stream, message })
      control({ t: 'abort', stream, message })
    },
    dropAll() {
      for (const stream of [...outgoing.keys(), ...incoming.keys()]) {
        control({ t: 'abort', stream, message: 'The run has ended.' })
      }
    },
  }
}

const next = (end: Incoming | Outgoing): Promise<void> =>
  new Promise((resolve) => {
    end.wake = resolve
  })
