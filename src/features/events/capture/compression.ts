import type { Transform } from 'node:stream'
import {
  brotliDecompressSync,
  constants,
  createBrotliDecompress,
  createGunzip,
  createInflate,
  createInflateRaw,
  createZstdDecompress,
  gunzipSync,
  inflateRawSync,
  inflateSync,
  zstdDecompressSync,
} from 'node:zlib'

/** Encodings that the first bytes of a body do not tell; clients name them in a header or in the URL. */
export type EncodingHint = 'br' | 'deflate' | 'lz64'

export interface Compression {
  /** Throws ERR_BUFFER_TOO_LARGE if the output is larger. */
  unpack(body: Buffer, maxOutputLength: number): Buffer
  createStream(chunkSize: number): Transform & { flush(done: () => void): void }
}

/** 8 MiB, the window that RFC 8878 recommends: a body of a few bytes could ask for 128 MB. */
const ZSTD = { params: { [constants.ZSTD_d_windowLogMax]: 23 } }

const COMPRESSIONS = {
  gzip: {
    unpack: (body, maxOutputLength) => gunzipSync(body, { maxOutputLength }),
    createStream: (chunkSize) => createGunzip({ chunkSize }),
  },
  zlib: {
    unpack: (body, maxOutputLength) => inflateSync(body, { maxOutputLength }),
    createStream: (chunkSize) => createInflate({ chunkSize }),
  },
  deflate: {
    unpack: (body, maxOutputLength) => inflateRawSync(body, { maxOutputLength }),
    createStream: (chunkSize) => createInflateRaw({ chunkSize }),
  },
  brotli: {
    unpack: (body, maxOutputLength) => brotliDecompressSync(body, { maxOutputLength }),
    createStream: (chunkSize) => createBrotliDecompress({ chunkSize }),
  },
  zstd: {
    unpack: (body, maxOutputLength) => zstdDecompressSync(body, { ...ZSTD, maxOutputLength }),
    createStream: (chunkSize) => createZstdDecompress({ ...ZSTD, chunkSize }),
  },
} satisfies Record<string, Compression>

/** Finds the compression of a body by its first bytes, since clients and proxies name it wrongly, or else by the hint. */
export function findCompression(body: Buffer, hint?: EncodingHint): Compression | undefined {
  if (hint === 'br') return COMPRESSIONS.brotli
  if (body[0] === 0x1f && body[1] === 0x8b) return COMPRESSIONS.gzip
  if (body.length > 4 && body.readUInt32LE(0) === ZSTD_MAGIC) return COMPRESSIONS.zstd
  if (isZlib(body)) return COMPRESSIONS.zlib
  return hint === 'deflate' ? COMPRESSIONS.deflate : undefined
}

const ZSTD_MAGIC = 0xfd2fb528

/** No JSON, form or base64 begins like this. */
const isZlib = (body: Buffer): boolean =>
  body.length > 2 && body[0] === 0x78 && body.readUInt16BE(0) % 31 === 0 && body[1] !== 0x78

/** Reads the hint from the header, as HTTP has it, or from the URL, where browsers put it. */
export function toHint(
  contentEncoding: string | undefined,
  compression: unknown,
): EncodingHint | undefined {
  const named = contentEncoding?.trim().toLowerCase() ?? compression
  return HINTS.find((hint) => hint === named)
}

const HINTS: readonly EncodingHint[] = ['br', 'deflate', 'lz64']
