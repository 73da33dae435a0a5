import {
  type FromApp,
  MAX_CHUNK_LENGTH,
  STREAM_WINDOW,
  type StreamControl,
  toChunkCost,
} from '#server/runtime/wire/protocol.ts'
import { fromCallError } from './errors.ts'

interface Incoming {
  readonly chunks: Uint8Array[]
  hasEnded: boolean
  error: Error | undefined
  wake: () => void
}

interface Outgoing {
  /** undefined until the host is ready to receive. */
  credit: number | undefined
  error: string | undefined
  wake: () => void
}

/** Bodies of any size, both ways. Each side sends only as much as the other grants. */
export interface Streams {
  /** Prepares to receive. Call it before the first chunk can arrive. */
  open(stream: number): void
  read(stream: number): AsyncGenerator<Uint8Array>
  write(stream: number, source: Iterable<Uint8Array> | AsyncIterable<Uint8Array>): Promise<void>
  receive(stream: number, chunk: Uint8Array): void
  control(message: StreamControl): void
  discard(stream: number): void
  /** Tells the host to stop sending bodies that the run has not read. */
  abortUnread(): void
}

const nothing = () => {}

export function createStreams(
  send: (message: FromApp) => void,
  sendBytes: (stream: number, chunk: Uint8Array) => void,
): Streams {
  const incoming = new Map<number, Incoming>()
  const outgoing = new Map<number, Outgoing>()

  async function* read(stream: number): AsyncGenerator<Uint8Array> {
    const source = incoming.get(stream)
    if (!source) throw new Error('The body was not read before the run ended.')
    let consumed = 0
    let isFirst = true
    try {
      while (true) {
        const chunk = source.chunks.shift()
        if (chunk) {
          consumed += chunk.length
          // the first credit tells the host that the app reads the body
          if (!source.hasEnded && (isFirst || consumed >= STREAM_WINDOW / 4)) {
            send({ t: 'credit', stream, bytes: consumed })
            consumed = 0
            isFirst = false
          }
          yield chunk
        } else if (source.error !== undefined) throw source.error
        else if (source.hasEnded) return
        else await nextChange(source)
      }
    } finally {
      close(stream, source)
    }
  }

  function close(stream: number, source: Incoming): void {
    if (incoming.delete(stream) && !source.hasEnded) {
      send({ t: 'abort', stream, message: 'The body is not needed any more.' })
    }
  }

  async function write(
    stream: number,
    source: Iterable<Uint8Array> | AsyncIterable<Uint8Array>,
  ): Promise<void> {
    const target: Outgoing = { credit: undefined, error: undefined, wake: nothing }
    outgoing.set(stream, target)
    try {
      if (!(await waitForCredit(target, 0))) return
      for await (const bytes of source) {
        for (let at = 0; at < bytes.length; at += MAX_CHUNK_LENGTH) {
          const chunk = bytes.subarray(at, at + MAX_CHUNK_LENGTH)
          if (!(await waitForCredit(target, toChunkCost(chunk.length)))) return
          sendBytes(stream, chunk)
        }
      }
      send({ t: 'end', stream })
    } catch (error) {
      send({ t: 'abort', stream, message: String(error) })
    } finally {
      outgoing.delete(stream)
    }
  }

  function control(message: StreamControl): void {
    const [source, target] = [incoming.get(message.stream), outgoing.get(message.stream)]
    if (message.t === 'credit' && target) target.credit = (target.credit ?? 0) + message.bytes
    if (message.t === 'end' && source) source.hasEnded = true
    if (message.t === 'abort' && source) {
      source.hasEnded = true
      source.error = fromCallError(message.error ?? { name: 'Error', message: message.message })
    }
    if (message.t === 'abort' && target) target.error = message.message
    source?.wake()
    target?.wake()
  }

  return {
    open: (stream) =>
      void incoming.set(stream, { chunks: [], hasEnded: false, error: undefined, wake: nothing }),
    read,
    write,
    receive: (stream, chunk) => {
      const source = incoming.get(stream)
      source?.chunks.push(chunk)
      source?.wake()
    },
    control,
    discard: (stream) => void incoming.delete(stream),
    abortUnread: () => {
      for (const [stream, source] of incoming) {
        close(stream, source)
        source.error = new Error('The body was not read before the run ended.')
        source.wake()
      }
    },
  }
}

/** Uses up credit. Returns false if the host does not want the stream. */
async function waitForCredit(target: Outgoing, bytes: number): Promise<boolean> {
  while (target.error === undefined) {
    if (target.credit !== undefined && target.credit >= bytes) {
      target.credit -= bytes
      return true
    }
    await nextChange(target)
  }
  return false
}

const nextChange = (end: Incoming | Outgoing): Promise<void> =>
  new Promise((resolve) => {
    end.wake = resolve
  })
