import { createHash } from 'node:crypto'
import type { App, Attachment } from '../shared/app.ts'
import { describeRefusal, request } from '../shared/requests.ts'
import { textSetting, toPayload } from '../shared/settings.ts'

export interface Source {
  /** Tells files apart: the same rows of the same file are imported once. */
  readonly identity: string
  readonly size: number | null
  readonly bytes: AsyncIterable<Uint8Array>
  /** Once all bytes are read: what stays the same as long as the file does; undefined when nobody can say. */
  version(): string | undefined
}

interface AddressVersion {
  readonly url: string
  readonly etag: string | null
  readonly changed: string | null
}

/**
 * The address of the payload, that of the settings, or the attached file. undefined: it still has the version that is
 * known.
 */
export async function openSource(
  app: App,
  payload: unknown,
  known: string | undefined,
): Promise<Source | undefined> {
  const { url: wanted } = toPayload(payload)
  const url = typeof wanted === 'string' && wanted !== '' ? wanted : textSetting(app.meta, 'url')
  if (url !== '') return openAddress(app, url, known)
  const { file } = app.meta.attachments
  if (!file) throw new Error('There is nothing to import: set the "Address" or attach a "File".')
  if (known?.startsWith(`${file.file_name} `)) {
    const unread = openFile(file)
    for await (const _ of unread.bytes);
    if (unread.version() === known) return undefined
  }
  return openFile(file)
}

/** A file can be replaced by another of the same name and size, so only its content tells. */
function openFile(file: Attachment): Source {
  const hash = createHash('sha256')
  let version: string | undefined

  async function* read() {
    for await (const piece of file.stream()) {
      hash.update(piece)
      yield piece
    }
    version = `${file.file_name} ${hash.digest('hex')}`
  }

  const identity = `file ${file.file_name}`
  return { identity, size: file.size, bytes: read(), version: () => version }
}

async function openAddress(
  app: App,
  url: string,
  known: string | undefined,
): Promise<Source | undefined> {
  const accept = 'text/csv, text/plain, */*'
  const answer = await request(app, url, { accept, ...conditions(url, known) })
  if (answer.status === 304) return undefined
  if (!answer.ok || !answer.body) {
    throw new Error(`${await describeRefusal(url, answer)} Check the "Address", then run it again.`)
  }
  const { headers } = answer
  const [etag, changed] = [headers.get('etag'), headers.get('last-modified')]
  const version = etag || changed ? JSON.stringify({ url, etag, changed }) : undefined
  return {
    identity: `address ${url}`,
    size: sizeOf(headers),
    bytes: answer.body,
    version: () => version,
  }
}

/** The length that is announced is of what is sent, which may be compressed. */
function sizeOf(headers: { get(name: string): string | null }): number | null {
  if (headers.get('content-encoding')) return null
  const length = Number(headers.get('content-length') ?? Number.NaN)
  return Number.isSafeInteger(length) ? length : null
}

function conditions(url: string, known: string | undefined): Record<string, string> {
  if (!known?.startsWith('{')) return {}
  const { url: of, etag, changed } = JSON.parse(known) as AddressVersion
  if (of !== url) return {}
  if (etag) return { 'if-none-match': etag }
  return changed ? { 'if-modified-since': changed } : {}
}
