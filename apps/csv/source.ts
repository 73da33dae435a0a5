import { createHash } from 'node:crypto'
import type { App, Attachment } from '../shared/app.ts'
import { readBody } from '../shared/bodies.ts'
import { describeError, request } from '../shared/requests.ts'
import { textSetting, toPayload } from '../shared/settings.ts'
import { toConditions, toVersion, type UrlVersion } from '../shared/versions.ts'

export interface Source {
  /** Identifies the file, whose rows are imported once. */
  readonly identity: string
  readonly size: number | null
  /** The content type of a response. */
  readonly type?: string | null
  readonly bytes: AsyncIterable<Uint8Array>
  /** Returns the version after all bytes are read, or undefined if it is unknown. */
  version(): string | undefined
}

/**
 * Opens the URL of the payload, the URL of the settings, or the attached file. Returns undefined if the version is
 * still the known one.
 */
export async function openSource(
  app: App,
  payload: unknown,
  known: string | undefined,
): Promise<Source | undefined> {
  const { url: override } = toPayload(payload)
  const url =
    typeof override === 'string' && override !== '' ? override : textSetting(app.meta, 'url')
  if (url !== '') return openUrl(app, url, known)
  const { file } = app.meta.attachments
  if (!file) throw new Error('Nothing to import. Set the "URL" or attach a "File".')
  if (known?.startsWith(`${file.file_name} `)) {
    const unread = openFile(file)
    for await (const _ of unread.bytes);
    if (unread.version() === known) return undefined
  }
  return openFile(file)
}

/** Hashes the content, since a file can be replaced by another of the same name and size. */
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

export async function openUrl(
  app: App,
  url: string,
  known: string | undefined,
): Promise<Source | undefined> {
  const accept = 'text/csv, text/plain, */*'
  const knownVersion = known?.startsWith('{') ? (JSON.parse(known) as UrlVersion) : undefined
  const response = await request(app, url, { accept, ...toConditions(url, knownVersion) })
  if (response.status === 304) return undefined
  if (!response.ok || !response.body) {
    throw new Error(`${await describeError(url, response)} Check the "URL" and run it again.`)
  }
  const { headers } = response
  const version = toVersion(url, response)
  return {
    identity: `address ${url}`,
    size: toSize(headers),
    type: headers.get('content-type'),
    bytes: readBody(app, url, { accept }, response),
    version: () => version && JSON.stringify(version),
  }
}

/** Returns null for a compressed response, whose content length says nothing about the file. */
function toSize(headers: { get(name: string): string | null }): number | null {
  if (headers.get('content-encoding')) return null
  const length = Number(headers.get('content-length') ?? Number.NaN)
  return Number.isSafeInteger(length) ? length : null
}
