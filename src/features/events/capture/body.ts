import { isUtf8 } from 'node:buffer'
import { promisify } from 'node:util'
import { gunzip } from 'node:zlib'
import { createLimit } from '#server/concurrency.ts'
import { ApiError } from '#server/errors.ts'

export const MAX_BODY = 20 * 1024 * 1024

const inflate = promisify(gunzip)

/** Limits memory: bodies are unauthenticated here, and one may inflate a thousandfold. */
const limit = createLimit(4)

/**
 * Parses the JSON of a body. Clients send it plain, as the `data` field of a form, in base64, compressed, or combined,
 * and neither content type nor query tells reliably which. The first bytes do: no two encodings begin alike.
 */
export const parseBody = (body: Buffer): Promise<unknown> =>
  isGzip(body) ? limit(() => decode(body)) : decode(body)

async function decode(body: Buffer): Promise<unknown> {
  const plain = isGzip(body) ? await decompress(body) : body
  const text = toText(plain)
  if (/^\s*[[{]/.test(text)) return parse(text)
  return parse(toText(await fromBase64(findFormData(text) ?? text)))
}

function toText(bytes: Buffer): string {
  if (!isUtf8(bytes)) throw parseError('the body is not UTF-8')
  return bytes.toString()
}

const isGzip = (body: Buffer): boolean => body[0] === 0x1f && body[1] === 0x8b

/** Stops at the limit: a few kilobytes can inflate to gigabytes. */
async function decompress(body: Buffer): Promise<Buffer> {
  try {
    return await inflate(body, { maxOutputLength: MAX_BODY })
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ERR_BUFFER_TOO_LARGE') {
      throw new ApiError(
        'request_too_large',
        'The request body is larger than 20 MiB uncompressed.',
      )
    }
    throw parseError('the body cannot be decompressed')
  }
}

function findFormData(text: string): string | undefined {
  if (!/(?:^|&)data=/.test(text)) return undefined
  return new URLSearchParams(text).get('data') ?? undefined
}

async function fromBase64(data: string): Promise<Buffer> {
  if (/^\s*[[{]/.test(data)) return Buffer.from(data)
  const bytes = Buffer.from(restorePlus(data), 'base64')
  return isGzip(bytes) ? decompress(bytes) : bytes
}

/** Restores `+`, which forms decode as a space. `replaceAll` takes seconds for a text of millions of spaces. */
function restorePlus(data: string): string {
  const bytes = Buffer.from(data, 'latin1')
  for (let at = 0; at < bytes.length; at++) if (bytes[at] === SPACE) bytes[at] = PLUS
  return bytes.toString('latin1')
}

const SPACE = 0x20
const PLUS = 0x2b

function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch (error) {
    throw parseError((error as Error).message)
  }
}

export const parseError = (reason: string): ApiError =>
  new ApiError('parse_error', `JSON parse error - ${reason}`)
