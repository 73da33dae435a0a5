import { promisify } from 'node:util'
import { gunzip, inflate } from 'node:zlib'
import { ApiError } from '#server/errors.ts'

const DECODERS: Readonly<Record<string, (bytes: Buffer, limit: number) => Promise<Buffer>>> = {
  identity: async (bytes) => bytes,
  gzip: (bytes, maxOutputLength) => promisify(gunzip)(bytes, { maxOutputLength }),
  deflate: (bytes, maxOutputLength) => promisify(inflate)(bytes, { maxOutputLength }),
}

/** Unpacks a body and reads it as text. */
export async function toBodyText(
  bytes: Buffer,
  encoding: string,
  maxBytes: number,
): Promise<{ readonly unpacked: Buffer; readonly text: string }> {
  const decode = Object.hasOwn(DECODERS, encoding) ? DECODERS[encoding] : undefined
  if (!decode) throw unsupported(`The content encoding "${encoding}" is not supported.`)
  const unpacked = await decode(bytes, maxBytes).catch((error: NodeJS.ErrnoException) => {
    throw error.code === 'ERR_BUFFER_TOO_LARGE'
      ? tooLarge(maxBytes)
      : unsupported(`The body is not ${encoding}.`)
  })
  if (unpacked.length > maxBytes) throw tooLarge(maxBytes)
  try {
    return { unpacked, text: new TextDecoder('utf-8', { fatal: true }).decode(unpacked) }
  } catch {
    throw unsupported('The body is not text in UTF-8.')
  }
}

const unsupported = (detail: string): ApiError => new ApiError('unsupported_media_type', detail)

export const tooLarge = (maxBytes: number): ApiError =>
  new ApiError('request_too_large', `The body is larger than ${Math.floor(maxBytes / 1024)} KiB.`)
