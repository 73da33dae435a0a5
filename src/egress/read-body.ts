import type { Readable } from 'node:stream'
import { EgressError } from './egress-error.ts'

interface BodyLimits {
  /** The longest wait for a chunk. undefined if the request's own signal limits the whole exchange. */
  readonly maxWaitMs?: number
}

/** Reads a body chunk by chunk. Throws an `EgressError` that says where the body broke off. */
export async function* readBody(
  url: URL,
  body: Readable,
  { maxWaitMs }: BodyLimits = {},
): AsyncGenerator<Uint8Array> {
  let bytes = 0
  let hasStalled = false
  const startTimer = () =>
    maxWaitMs === undefined
      ? undefined
      : setTimeout(() => {
          hasStalled = true
          body.destroy()
        }, maxWaitMs)
  let timer = startTimer()
  try {
    for await (const chunk of body) {
      clearTimeout(timer)
      bytes += chunk.length
      yield chunk
      timer = startTimer()
    }
  } catch (error) {
    const place = `${url.origin}${url.pathname}`
    if (hasStalled) {
      const seconds = `${Number(maxWaitMs) / 1000} s`
      const message = `${place} stopped after ${bytes} bytes and sent nothing for ${seconds}`
      throw new EgressError('network', message, { type: 'body-timeout' })
    }
    const { message, code } = error as NodeJS.ErrnoException
    const reason = message || code || 'the connection broke'
    const text = `${place} broke off after ${bytes} bytes (${reason})`
    throw new EgressError('network', text, { type: 'system', code })
  } finally {
    clearTimeout(timer)
  }
}

/** Reads a whole body. Throws `tooLarge` before it has read more than the limit. */
export async function readUpTo(
  url: URL,
  body: Readable,
  maxBytes: number,
  tooLarge = (): Error =>
    new EgressError('too-large', `the response is larger than ${maxBytes} bytes`),
): Promise<Uint8Array<ArrayBuffer>> {
  const chunks: Uint8Array[] = []
  let length = 0
  for await (const chunk of readBody(url, body)) {
    length += chunk.length
    if (length > maxBytes) throw tooLarge()
    chunks.push(chunk)
  }
  return Buffer.concat(chunks)
}
