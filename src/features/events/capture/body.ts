import { isUtf8 } from 'node:buffer'
import { ApiError, parseError } from '#server/errors.ts'
import { skipSpace } from '#server/json-scan.ts'
import { fromCesu8 } from './cesu-8.ts'
import { type EncodingHint, findCompression } from './compression.ts'
import { unpackLz64 } from './lz64.ts'

const MIB = 1024 * 1024

/** In bytes, as sent and unpacked. */
export const MAX_BODY = 20 * MIB
/** The beginning of a body, in which most clients name the token. A body of this size takes a millisecond or two. */
export const HEAD_BYTES = 64 * 1024
/** The unpacked beginning of a compressed body in which a token is sought. Every request leaves this much garbage. */
const EARLY_BYTES = HEAD_BYTES / 4
/** The size of a body that names the token later: Python's client puts it behind up to 5 MB of events. */
export const MAX_BEFORE_TOKEN = 6 * MIB
/** JSON of events compresses to a tenth, or to a fiftieth if the events are similar. */
const MAX_RATIO = 100
/** Any ratio is allowed up to here. */
const MIN_UNPACKED = MIB
/** In letters, packed and unpacked. Old browser clients send less, and each letter takes several times its size. */
const MAX_LZ64 = 2 * MIB

/**
 * Returns the JSON of a body, or undefined if it is larger than `maxBytes`. Clients send it plain, as the `data` field of
 * a form, in base64, compressed, or combined, and only the first bytes reliably tell which: no two
 * encodings begin alike. The hint names those that begin like anything.
 */
export function unpackBody(
  body: Buffer,
  maxBytes: number,
  hint?: EncodingHint,
): Buffer | undefined {
  const plain = decompress(body, maxBytes, hint)
  if (plain === undefined || plain.length > maxBytes) return undefined
  if (isJson(plain)) return plain
  const { data, compression } = toForm(toText(plain))
  if (hint === 'lz64' || compression === 'lz64') return decompressLz64(data, maxBytes)
  return decompress(fromBase64(data), maxBytes)
}

/** Returns the beginning of the JSON of a body that has arrived only in part. */
export async function unpackHead(head: Buffer, hint?: EncodingHint): Promise<Buffer> {
  const compression = findCompression(head, hint)
  if (!compression) return isJson(head) ? head : Buffer.alloc(0)
  const stream = compression.createStream(EARLY_BYTES)
  try {
    const { promise, resolve } = Promise.withResolvers<Buffer>()
    stream.once('data', resolve)
    stream.once('error', () => resolve(Buffer.alloc(0)))
    stream.once('end', () => resolve(Buffer.alloc(0)))
    stream.write(head)
    stream.flush(() => resolve(Buffer.alloc(0)))
    return await promise
  } finally {
    stream.destroy()
  }
}

/** Returns the most bytes that a body may unpack to. */
export const maxUnpacked = (body: Uint8Array, hint?: EncodingHint): number =>
  isJson(body) && hint !== 'br' ? body.length : maxByRatio(body)

const maxByRatio = ({ length }: Uint8Array): number => Math.max(length * MAX_RATIO, MIN_UNPACKED)

function isJson(body: Uint8Array): boolean {
  const first = body[skipSpace(body, 0)]
  return first === OPEN_LIST || first === OPEN_OBJECT
}

const [OPEN_LIST, OPEN_OBJECT] = [0x5b, 0x7b]

/** Returns a body without compression as it is. Stops at the limit: a few kilobytes can unpack to gigabytes. */
function decompress(body: Buffer, maxBytes: number, hint?: EncodingHint): Buffer | undefined {
  const compression = findCompression(body, hint)
  if (!compression) return body
  const byRatio = maxByRatio(body)
  try {
    return compression.unpack(body, Math.min(maxBytes, byRatio))
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

function decompressLz64(data: string, maxBytes: number): Buffer | undefined {
  const most = Math.min(maxBytes, MAX_LZ64)
  const text = data.length > MAX_LZ64 ? undefined : unpackLz64(restorePlus(data), most)
  if (text !== undefined) return Buffer.from(text)
  if (maxBytes <= MAX_LZ64) return undefined
  throw new ApiError('request_too_large', 'A body in lz64 unpacks to at most 2 MiB.')
}

export function toText(bytes: Buffer): string {
  if (isUtf8(bytes)) return bytes.toString()
  const utf8 = fromCesu8(bytes)
  if (isUtf8(utf8)) return utf8.toString()
  throw parseError('the body is not UTF-8')
}

export function parseJson(bytes: Buffer): unknown {
  const text = toText(bytes)
  try {
    return JSON.parse(text)
  } catch (error) {
    throw parseError((error as Error).message)
  }
}

/** Tells whether a text is a form with events. */
export const hasFormData = (text: string): boolean => /(?:^|&)data=/.test(text)

/** Returns the fields of a form; any other text is the data. */
function toForm(text: string): { data: string; compression?: string | undefined } {
  if (!hasFormData(text)) return { data: text }
  const form = new URLSearchParams(text)
  return { data: form.get('data') ?? text, compression: form.get('compression') ?? undefined }
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
