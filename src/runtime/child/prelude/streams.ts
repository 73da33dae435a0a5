import {
  type FromApp,
  MAX_CHUNK,
  STREAM_WINDOW,
  type StreamControl,
} from '#server/runtime/process/protocol.ts'

interface Incoming {
  readonly parts: Uint8Array[]
  ended: boolean
  problem: string | undefined
  wake: () => void
}

interface Outgoing {
  credit: number
  problem: string | undefined
  wake: () => void
}

/** Bodies of any size, both ways. Each side sends only as much as the other has room for. */
export interface Streams {
  /** Announced before the first part can arrive. */
  open(stream: number): void
  read(stream: number): AsyncGenerator<Uint8Array>
  write(stream: number, source: Iterable<Uint8Array> | AsyncIterable<Uint8Array>): Promise<void>
  receive(stream: number, part: Uint8Array): void
  control(message: StreamControl): void
  discard(stream: number): void
  /** Whatever nobody has read is not wanted any more. */
  drop(): void
}

const nothing = () => {}

export function createStreams(
  send: (message: FromApp) => void,
  sendBytes: (stream: number, part: Uint8Array) => void,
): Streams {
  const incoming = new Map<number, Incoming>()
  const outgoing = new Map<number, Outgoing>()

  async function* read(stream: number): AsyncGenerator<Uint8Array> {
    const source = incoming.get(stream)
    if (!source) throw new Error('The body was not read before the run ended.')
    let [consumed, isFirst] = [0, true]
    try {
      while (true) {
        const part = source.parts.shift()
        if (part) {
          consumed += part.length
          // the first word tells the parent that somebody reads
          if (!source.ended && (isFirst || consumed >= STREAM_WINDOW / 4)) {
            send({ t: 'credit', stream, bytes: consumed })
            ;[consumed, isFirst] = [0, false]
          }
          yield part
        } else if (source.problem !== undefined) throw new Error(source.problem)
        else if (source.ended) return
        else await next(source)
      }
    } finally {
      close(stream, source)
    }
  }

  function close(stream: number, source: Incoming): void {
    if (incoming.delete(stream) && !source.ended) {
      send({ t: 'abort', stream, message: 'It is not wanted any more.' })
    }
  }

  async function write(
    stream: number,
    source: Iterable<Uint8Array> | AsyncIterable<Uint8Array>,
  ): Promise<void> {
    const target: Outgoing = { credit: STREAM_WINDOW, problem: undefined, wake: nothing }
    outgoing.set(stream, target)
    try {
      for await (const whole of source) {
        for (let at = 0; at < whole.length; at += MAX_CHUNK) {
          const part = whole.subarray(at, at + MAX_CHUNK)
          while (target.credit < part.length && target.problem === undefined) await next(target)
          if (target.problem !== undefined) return
          target.credit -= part.length
          sendBytes(stream, part)
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
    if (message.t === 'credit' && target) target.credit += message.bytes
    if (message.t === 'end' && source) source.ended = true
    if (message.t === 'abort' && source) {
      source.ended = true
      source.problem = message.message
    }
    if (message.t === 'abort' && target) target.problem = message.message
    source?.wake()
    target?.wake()
  }

  return {
    open: (stream) =>
      void incoming.set(stream, { parts: [], ended: false, problem: undefined, wake: nothing }),
    read,
    write,
    receive: (stream, part) => {
      const source = incoming.get(stream)
      source?.parts.push(part)
      source?.wake()
    },
    control,
    discard: (stream) => void incoming.delete(stream),
    drop: () => {
      for (const [stream, source] of incoming) {
        close(stream, source)
        source.problem = 'The body was not read before the run ended.'
        source.wake()
      }
    },
  }
}

const next = (end: Incoming | Outgoing): Promise<void> =>
  new Promise((resolve) => {
    end.wake = resolve
  })
