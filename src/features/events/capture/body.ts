import { isUtf8 } from 'node:buffer'
import { createGunzip, gunzipSync } from 'node:zlib'
import { ApiError, parseError } from '#server/errors.ts'
import { skipSpace } from '#server/http/json-scan.ts'

const MIB = 1024 * 1024

/** In bytes, as sent and unpacked. */
export const MAX_BODY = 20 * MIB
/** The beginning of a body, in which most clients name the token. A body of this size takes a millisecond or two. */
export const HEAD_BYTES = 64 * 1024
/** The size of a body that names the token later: Python's client puts it behind up to 5 MB of events. */
export const MAX_BEFORE_TOKEN = 6 * MIB
/** JSON of events compresses to a tenth, or to a fiftieth if the events are similar. */
const MAX_RATIO = 100
/** Any ratio is allowed up to here. */
const MIN_UNPACKED = MIB

/**
 * Returns the JSON of a body, or undefined if it is larger than `maxBytes`. Clients send it plain, as the `data` field of
 * a form, in base64, compressed, or combined, and only the first bytes reliably tell which: no two
 * encodings begin alike.
 */
export function unpackBody(body: Buffer, maxBytes: number): Buffer | undefined {
  const plain = isGzip(body) ? decompress(body, maxBytes) : body
  if (plain === undefined || plain.length > maxBytes) return undefined
  if (isJson(plain)) return plain
  const text = toText(plain)
  const data = fromBase64(findFormData(text) ?? text)
  return isGzip(data) ? decompress(data, maxBytes) : data
}

/** Returns the beginning of the JSON of a body that has arrived only in part. */
export async function unpackHead(head: Buffer): Promise<Buffer> {
  if (!isGzip(head)) return isJson(head) ? head : Buffer.alloc(0)
  const gunzip = createGunzip({ chunkSize: HEAD_BYTES })
  try {
    const { promise, resolve } = Promise.withResolvers<Buffer>()
    gunzip.once('data', resolve)
    gunzip.once('error', () => resolve(Buffer.alloc(0)))
    gunzip.once('end', () => resolve(Buffer.alloc(0)))
    gunzip.write(head)
    gunzip.flush(() => resolve(Buffer.alloc(0)))
    return await promise
  } finally {
    gunzip.destroy()
  }
}

/** Returns the most bytes that a body may unpack to. */
export const maxUnpacked = (body: Uint8Array): number =>
  isJson(body) ? body.length : maxByRatio(body)

const maxByRatio = ({ length }: Uint8Array): number => Math.max(length * MAX_RATIO, MIN_UNPACKED)

const isGzip = (body: Buffer): boolean => body[0] === 0x1f && body[1] === 0x8b

function isJson(body: Uint8Array): boolean {
  const first = body[skipSpace(body, 0)]
  return first === OPEN_LIST || first === OPEN_OBJECT
}

const [OPEN_LIST, OPEN_OBJECT] = [0x5b, 0x7b]

/** Stops at the limit: a few kilobytes can unpack to gigabytes. */
function decompress(body: Buffer, maxBytes: number): Buffer | undefined {
  const byRatio = maxByRatio(body)
  try {
    return gunzipSync(body, { maxOutputLength: Math.min(maxBytes, byRatio) })
  } catch (error) {
    const isTooLarge = (error as NodeJS.ErrnoException).code === 'ERR_BUFFER_TOO_LARGE'
    if (!isTooLarge) throw parseError('the body cannot be decompressed')
    if (maxBytes <= byRatio) return undefined
    throw new ApiError(
      'request_too_large',
      `The request body unpacks to more than ${MAX_RATIO} times its size.`,
    )
  }
}

export function toText(bytes: Buffer): string {
  if (!isUtf8(bytes)) throw parseError('the body is not UTF-8')
  return bytes.toString()
}

export function parseJson(bytes: Buffer): unknown {
  const text = toText(bytes)
  try {
    return JSON.parse(text)
  } catch (error) {
    throw parseError((error as Error).message)
  }
}

function findFormData(text: string): string | undefined {
  if (!/(?:^|&)data=/.test(text)) return undefined
  return new URLSearchParams(text).get('data') ?? undefined
}

function fromBase64(data: string): Buffer {
  if (/^\s*[[{]/.test(data)) return Buffer.from(data)
  return Buffer.from(restorePlus(data), 'base64')
}

/** Restores `+`, which forms decode as a space. `replaceAll` takes seconds for a text of millions of spaces. */
function restorePlus(data: string): string {
  const bytes = Buffer.from(data, 'latin1')
  for (let at = 0; at < bytes.length; at++) if (bytes[at] === SPACE) bytes[at] = PLUS
  return bytes.toString('latin1')
}

const SPACE = 0x20
const PLUS = 0x2b

/** Frees the memory of a body now, because the garbage collector would let several bodies pile up. */
export function releaseMemory({ buffer }: Uint8Array): void {
  if (buffer instanceof ArrayBuffer) buffer.transfer(0)
}
