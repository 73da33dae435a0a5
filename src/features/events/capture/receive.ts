import type { IncomingMessage } from 'node:http'
import { ApiError } from '#server/errors.ts'
import { HEAD_BYTES, MAX_BEFORE_TOKEN, MAX_BODY } from './body.ts'

/** The memory that large bodies of all requests may take together: two of the largest. */
const MAX_HELD = 2 * MAX_BODY

/** Reads the bodies of requests, and limits the memory that they take together. */
export interface Receiver {
  /**
   * Reads a body and passes it on, with its limit if it is larger than its head: as soon as it is, `checkHead` decides
   * how much of it to read.
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

export function createReceiver(): Receiver {
  const refused = new Set<IncomingMessage>()
  let held = 0
  return {
    async receive(stream, checkHead, use) {
      const body = createCollector(Number(stream.headers['content-length'] ?? 0))
      let counted = 0
      let maxBytes: number | undefined
      try {
        await readChunks(stream, (chunk) => {
          body.add(chunk)
          if (body.size() <= HEAD_BYTES) return
          if (maxBytes === undefined) return acceptHead()
          countBytes(maxBytes)
        })
        return await use(body.toBuffer(), maxBytes)
      } finally {
        held -= counted
        if (!stream.readableEnded) drain(stream)
      }

      async function acceptHead(): Promise<void> {
        maxBytes = await checkHead(body.head())
        countBytes(maxBytes)
      }

      function countBytes(limit: number): void {
        if (body.size() > limit) throw tooLarge(limit)
        held += body.size() - counted
        counted = body.size()
        if (held > MAX_HELD) throw tooManyBodies()
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

/** Reads on when a chunk is accepted. */
async function readChunks(
  stream: IncomingMessage,
  accept: (chunk: Buffer) => Promise<void> | undefined,
): Promise<void> {
  const { promise, resolve, reject } = Promise.withResolvers<void>()
  const read = (chunk: Buffer) => {
    try {
      const accepted = accept(chunk)
      if (!accepted) return
      stream.pause()
      accepted.then(() => stream.resume(), reject)
    } catch (error) {
      reject(error)
    }
  }
  stream.on('data', read).once('end', resolve).once('error', reject)
  try {
    await promise
  } finally {
    stream.off('data', read)
  }
}

/**
 * Collects a body of this length (0: unknown) in memory of its own, which another thread can take over; chunks share
 * theirs with other requests. The memory grows with what was sent, not with what a client says that it will send.
 */
function createCollector(length: number) {
  let memory = new ArrayBuffer(Math.min(length, HEAD_BYTES))
  let size = 0
  return {
    add(chunk: Buffer): void {
      const needed = size + chunk.length
      if (needed > memory.byteLength) {
        const twice = Math.min(2 * needed, Math.max(needed, length || MAX_BODY))
        memory = memory.transfer(twice)
      }
      new Uint8Array(memory).set(chunk, size)
      size = needed
    },
    size: () => size,
    head: (): Buffer => Buffer.from(memory, 0, size),
    toBuffer(): Buffer<ArrayBuffer> {
      if (memory.byteLength > size) memory = memory.transfer(size)
      return Buffer.from(memory)
    },
  }
}

const tooManyBodies = (): ApiError =>
  new ApiError('unavailable', 'Too many large requests at once. Try again in a moment.', null, {
    'retry-after': '5',
  })

export const tooLarge = (maxBytes: number, how = ''): ApiError =>
  maxBytes === MAX_BEFORE_TOKEN
    ? new ApiError(
        'not_authenticated',
        'The body has no project token (`api_key`) at its beginning, and is larger than 6 MiB.',
      )
    : new ApiError('request_too_large', `The request body is larger than 20 MiB${how}.`)
