import type { Limits } from '../limits.ts'
import type { Channel } from '../process/channel.ts'
import { BrokenFrame } from '../wire/frames.ts'
import {
  MAX_CHUNK_LENGTH,
  STREAM_WINDOW,
  type StreamControl,
  toChunkCost,
} from '../wire/protocol.ts'
import { toCallError } from './call-error.ts'

interface Outgoing {
  credit: number
  /** Whether the source, not the app, is what everybody waits for. */
  isAwaitingSource: boolean
  isRead: boolean
  isAborted: boolean
  wake: () => void
}

interface Incoming {
  readonly chunks: Uint8Array[]
  /** The part of the window that the app may fill now. */
  credit: number
  /** The rest of the body. */
  bytesLeft: number
  hasEnded: boolean
  error: string | undefined
  wake: () => void
}

/** Bodies of any size between the host and an app's process. Neither side buffers more than a window of each. */
export interface HostStreams {
  /** Sends the source as the app reads it. Stops early if the app aborts the stream. */
  pump(stream: number, source: AsyncIterable<Uint8Array>): Promise<void>
  /** Lets the app send a body of this length under this ID, and receives it. */
  accept(stream: number, length: number | undefined): AsyncIterable<Uint8Array>
  /** Counts outgoing streams whose source, not the app, is slow. */
  countAwaitingSource(): number
  /** Whether the app has started to read the stream. */
  isRead(stream: number): boolean
  receive(content: Buffer): void
  control(message: StreamControl): void
  /** Stops receiving a stream from the app. */
  refuse(stream: number, message: string): void
  /** Stops sending a stream to the app. */
  cancel(stream: number, message: string): void
  abortAll(): void
}

const nothing = () => {}

export function createHostStreams(channel: Channel): HostStreams {
  const outgoing = new Map<number, Outgoing>()
  const incoming = new Map<number, Incoming>()

  async function pump(stream: number, source: AsyncIterable<Uint8Array>): Promise<void> {
    const target: Outgoing = {
      credit: STREAM_WINDOW,
      isAwaitingSource: true,
      isRead: false,
      isAborted: false,
      wake: nothing,
    }
    outgoing.set(stream, target)
    try {
      for await (const bytes of source) {
        target.isAwaitingSource = false
        for (let at = 0; at < bytes.length; at += MAX_CHUNK_LENGTH) {
          const chunk = bytes.subarray(at, at + MAX_CHUNK_LENGTH)
          while (target.credit < chunk.length && !target.isAborted) await nextChange(target)
          if (target.isAborted) return
          target.credit -= chunk.length
          channel.sendBytes(stream, chunk)
        }
        target.isAwaitingSource = true
      }
      channel.send({ t: 'end', stream })
    } catch (error) {
      const { message } = error as Error
      channel.send({ t: 'abort', stream, message, error: toCallError(error) })
    } finally {
      outgoing.delete(stream)
    }
  }

  function grant(stream: number, source: Incoming, bytes: number): void {
    source.credit += bytes
    channel.send({ t: 'credit', stream, bytes })
  }

  async function* read(stream: number, source: Incoming): AsyncGenerator<Uint8Array> {
    try {
      while (true) {
        const chunk = source.chunks.shift()
        if (chunk) {
          if (source.bytesLeft > 0) grant(stream, source, toChunkCost(chunk.length))
          yield chunk
        } else if (source.error !== undefined) throw new Error(source.error)
        else if (source.hasEnded) return
        else await nextChange(source)
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
    if (message.t === 'end' && source) source.hasEnded = true
    if (message.t === 'abort') {
      if (source) source.error = message.message
      if (target) target.isAborted = true
    }
    source?.wake()
    target?.wake()
  }

  return {
    pump,
    countAwaitingSource: () =>
      [...outgoing.values()].filter(({ isAwaitingSource }) => isAwaitingSource).length,
    accept(stream, length = Number.POSITIVE_INFINITY) {
      const source: Incoming = {
        chunks: [],
        credit: 0,
        bytesLeft: length,
        hasEnded: false,
        error: undefined,
        wake: nothing,
      }
      incoming.set(stream, source)
      grant(stream, source, STREAM_WINDOW)
      return read(stream, source)
    },
    isRead: (stream) => outgoing.get(stream)?.isRead ?? true,
    receive(content) {
      if (content.length < 4) throw new BrokenFrame('a chunk without a stream')
      const source = incoming.get(content.readUInt32BE(0))
      if (!source) return
      const bytes = content.length - 4
      if (bytes === 0) return
      source.credit -= toChunkCost(bytes)
      source.bytesLeft -= bytes
      if (source.credit < 0 || source.bytesLeft < 0)
        throw new BrokenFrame('more than the window allows')
      source.chunks.push(content.subarray(4))
      source.wake()
    },
    control,
    refuse(stream, message) {
      const source = incoming.get(stream)
      if (!source?.hasEnded) channel.send({ t: 'abort', stream, message })
      incoming.delete(stream)
    },
    cancel(stream, message) {
      if (outgoing.has(stream)) channel.send({ t: 'abort', stream, message })
      control({ t: 'abort', stream, message })
    },
    abortAll() {
      for (const stream of [...outgoing.keys(), ...incoming.keys()]) {
        control({ t: 'abort', stream, message: 'The run has ended.' })
      }
    },
  }
}

/** Sends a body to the app as the app reads it, and gives up if the app does not start to read it in time. */
export async function streamToApp(
  { limits, streams, stream }: { limits: Limits; streams: HostStreams; stream: number },
  body: AsyncIterable<Uint8Array>,
): Promise<void> {
  const timer = setTimeout(() => {
    if (!streams.isRead(stream)) streams.cancel(stream, 'The body was not read in time.')
  }, limits.waitMs)
  try {
    await streams.pump(stream, body)
  } finally {
    clearTimeout(timer)
  }
}

const nextChange = (end: Incoming | Outgoing): Promise<void> =>
  new Promise((resolve) => {
    end.wake = resolve
  })
