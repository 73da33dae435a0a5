import type { IncomingMessage } from 'node:http'
import { ApiError, BusyError } from '#server/errors.ts'
import { HEAD_BYTES, MAX_BEFORE_TOKEN, MAX_BODY } from './body.ts'

/** The memory that large bodies of all requests may take together: two of the largest. */
const MAX_HELD = 2 * MAX_BODY
const MAX_CHUNKS = 16

/** Reads the bodies of requests, and limits the memory that they take together. */
export interface Receiver {
  /**
   * Reads a body and passes it on, with its limit if it is larger than its head: as soon as it is, `checkHead` decides
   * how much of it to read. A larger body has memory of its own; a head may share it with others.
   */
  receive<T>(
    stream: IncomingMessage,
    checkHead: CheckHead,
    use: (body: Buffer<ArrayBuffer>, maxBytes: number | undefined) => Promise<T>,
  ): Promise<T>
  /** Disconnects refused clients that are still sending. */
  close(): void
}

/** Returns the number of bytes that a body may have, or throws. */
export type CheckHead = (head: Buffer) => Promise<number>

/** `enter` starts a task in a turn of the event loop that has time for it. */
export function createReceiver(enter: (start: () => void) => void): Receiver {
  const refused = new Set<IncomingMessage>()
  let held = 0
  return {
    async receive(stream, checkHead, use) {
      const body = createCollector(Number(stream.headers['content-length'] ?? 0))
      let counted = 0
      let maxBytes: number | undefined
      try {
        await readChunks(stream, enter, (chunk) => {
          body.add(chunk)
          if (body.size() <= HEAD_BYTES) return
          countBytes(body.capacity())
          return maxBytes === undefined ? acceptHead() : requireSize(maxBytes)
        })
        return await use(body.take(), maxBytes)
      } finally {
        release()
        if (!stream.readableEnded) drain(stream)
      }

      async function acceptHead(): Promise<void> {
        await new Promise<void>(enter) // or hundreds of heads that arrive at once would block the event loop
        maxBytes = await checkHead(body.head())
        requireSize(maxBytes)
        countBytes(body.room())
        body.grow()
      }

      function requireSize(limit: number): undefined {
        if (body.size() > limit) throw tooLarge(limit)
      }

      /** Refuses early: checking heads only to refuse them would keep everybody else waiting. */
      function countBytes(bytes: number): void {
        const more = bytes - counted
        if (held + more > MAX_HELD) {
          release() // at once, or those that are checked at the same moment would be refused too
          throw tooManyBodies()
        }
        held += more
        counted += more
      }

      function release(): void {
        held -= counted
        counted = 0
      }
    },
    close() {
      for (const stream of refused) stream.destroy()
    },
  }

  /** Reads the rest of a body, because a client reads the response only when it has sent everything. */
  function drain(stream: IncomingMessage): void {
    refused.add(stream)
    stream.once('close', () => refused.delete(stream))
    stream.resume()
  }
}

/** Reads on when a chunk is accepted. Hundreds of clients that leave at once are handled in turns. */
async function readChunks(
  stream: IncomingMessage,
  enter: (start: () => void) => void,
  accept: (chunk: Buffer) => Promise<void> | undefined,
): Promise<void> {
  const { promise, resolve, reject } = Promise.withResolvers<void>()
  let accepted: Promise<void> | undefined
  const read = (chunk: Buffer) => {
    try {
      accepted = accept(chunk)
      if (!accepted) return
      stream.pause()
      accepted.then(() => stream.resume(), reject)
    } catch (error) {
      reject(error)
    }
  }
  const fail = (error: Error) => enter(() => reject(error))
  // a body that had arrived whole ends even if it is paused
  const finish = () => resolve(accepted)
  stream.on('data', read).once('end', finish).once('error', fail)
  try {
    await promise
  } finally {
    stream.off('data', read)
  }
}

/**
 * Collects a body of this length (0: unknown). It keeps the chunks of its head as they are, since most bodies end there;
 * `grow` moves it into memory of its own, which another thread can take over. The memory grows with the bytes that
 * arrive, not with the length that a client announces.
 */
function createCollector(length: number) {
  let chunks: Buffer[] = []
  let memory: ArrayBuffer | undefined
  let size = 0

  const roomFor = (needed: number): number =>
    Math.min(2 * needed, Math.max(needed, length || MAX_BODY))

  function copy(chunk: Buffer, own: ArrayBuffer, at: number): ArrayBuffer {
    const needed = at + chunk.length
    const enough = needed > own.byteLength ? own.transfer(roomFor(needed)) : own
    new Uint8Array(enough).set(chunk, at)
    return enough
  }

  return {
    add(chunk: Buffer): void {
      if (memory) memory = copy(chunk, memory, size)
      else chunks.push(chunk)
      size += chunk.length
      // a client may send byte by byte, and every chunk takes memory besides its bytes
      if (chunks.length === MAX_CHUNKS) chunks = [Buffer.concat(chunks)]
    },
    size: () => size,
    /** The bytes of memory that it takes. */
    capacity: () => memory?.byteLength ?? size,
    /** The bytes of memory that it takes after it has grown. */
    room: () => roomFor(size),
    head: (): Buffer => Buffer.concat(chunks, Math.min(size, HEAD_BYTES)),
    grow(): void {
      memory = new ArrayBuffer(roomFor(size))
      let at = 0
      for (const chunk of chunks) {
        copy(chunk, memory, at)
        at += chunk.length
      }
      chunks = []
    },
    /** Returns the body and drops the reference, so that it can be freed before the request ends. */
    take(): Buffer<ArrayBuffer> {
      const own = memory ?? joinChunks(chunks)
      memory = undefined
      chunks = []
      return own instanceof ArrayBuffer ? Buffer.from(own.transfer(size)) : own
    },
  }
}

/** Most bodies are one chunk. */
const joinChunks = (chunks: readonly Buffer[]): Buffer<ArrayBuffer> =>
  chunks.length === 1 ? (chunks[0] as Buffer<ArrayBuffer>) : Buffer.concat(chunks)

const tooManyBodies = (): BusyError =>
  new BusyError('Too many large requests at once. Try again in a moment.')

export const tooLarge = (maxBytes: number, how = ''): ApiError =>
  maxBytes === MAX_BEFORE_TOKEN
    ? new ApiError(
        'not_authenticated',
        'The body has no project token (`api_key`) at its beginning, and is larger than 6 MiB.',
      )
    : new ApiError('request_too_large', `The request body is larger than 20 MiB${how}.`)
