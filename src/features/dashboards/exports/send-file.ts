import type { FastifyReply } from 'fastify'
import { type FileFormat, MEDIA_TYPES } from './schema.ts'

export interface ExportedFile {
  readonly format: FileFormat
  /** The name without the extension. */
  readonly name: string
  readonly content: string | Uint8Array
}

/** In characters, because half of a surrogate pair is invalid in a header. */
const MAX_NAME = 80

/** Sends a file that browsers display if possible and save under its name. */
export function sendFile(
  reply: FastifyReply,
  { format, name, content }: ExportedFile,
): FastifyReply {
  const words = name.replace(/[^\p{L}\p{N}]+/gu, '-').replace(/^-|-$/g, '')
  const file = `${[...words].slice(0, MAX_NAME).join('') || 'export'}.${format}`
  const plain = file.replace(/[^\x20-\x7e]/g, '_')
  return reply
    .header('content-type', MEDIA_TYPES[format])
    .header(
      'content-disposition',
      `inline; filename="${plain}"; filename*=UTF-8''${encodeURIComponent(file)}`,
    )
    .header('cache-control', 'private, no-cache')
    .send(typeof content === 'string' ? content : Buffer.from(content))
}
