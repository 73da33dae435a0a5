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
      const chunks: Buffer[] = []
      let [size, counted] = [0, 0]
      let maxBytes: number | undefined
      try {
        await readChunks(stream, (chunk) => {
          chunks.push(chunk)
          size += chunk.length
          if (size > HEAD_BYTES) return acceptMore()
        })
        return await use(toBuffer(chunks, size), maxBytes)
      } finally {
        held -= counted
        if (!stream.readableEnded) drain(stream)
      }

      async function acceptMore(): Promise<void> {
        maxBytes ??= await checkHead(Buffer.concat(chunks))
        if (size > maxBytes) throw tooLarge(maxBytes)
        held += size - counted
        counted = size
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

/** Copies the chunks, which share their memory with other requests, so that another thread can take the body over. */
function toBuffer(chunks: Buffer[], size: number): Buffer<ArrayBuffer> {
  const body = Buffer.from(new ArrayBuffer(size))
  let at = 0
  for (const chunk of chunks.splice(0)) {
    body.set(chunk, at)
    at += chunk.length
  }
  return body
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
