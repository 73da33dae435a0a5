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
          if (body.size() > HEAD_BYTES) return acceptMore()
        })
        return await use(body.toBuffer(), maxBytes)
      } finally {
        held -= counted
        if (!stream.readableEnded) drain(stream)
      }

      async function acceptMore(): Promise<void> {
        maxBytes ??= await checkHead(body.head())
        if (body.size() > maxBytes) throw tooLarge(maxBytes)
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
    const accepted = accept(chunk)
    if (!accepted) return
    stream.pause()
    accepted.then(() => stream.resume(), reject)
  }
  stream.on('data', read).once('end', resolve).once('error', reject)
  try {
    await promise
  } finally {
    stream.off('data', read)
  }
}

/**
 * Collects a body in memory of its own, which another thread can take over; chunks share theirs with other requests. If
 * the length is known, a large body is copied once, and the system provides the memory as it is filled.
 */
function createCollector(length: number) {
  let chunks: Buffer[] = []
  let body: Buffer<ArrayBuffer> | undefined
  let size = 0
  const copyTo = (target: Buffer<ArrayBuffer>) => {
    let at = 0
    for (const chunk of chunks) at += chunk.copy(target, at)
    chunks = []
    return target
  }
  return {
    add(chunk: Buffer): void {
      if (size > HEAD_BYTES && length > 0) {
        body ??= copyTo(allocate(length))
        body.set(chunk, size)
      } else chunks.push(chunk)
      size += chunk.length
    },
    size: () => size,
    head: (): Buffer => Buffer.concat(chunks),
    toBuffer: (): Buffer<ArrayBuffer> => body ?? copyTo(allocate(size)),
  }
}

const allocate = (size: number): Buffer<ArrayBuffer> => Buffer.from(new ArrayBuffer(size))

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
