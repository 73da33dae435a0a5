import type { App, FetchResponse } from '../shared/app.ts'
import { isTemporary, pause, TemporaryProblem } from '../shared/retries.ts'
import { type Bucket, toRefusal } from './bucket.ts'
import type { FileInfo } from './list.ts'

/** An open file of the storage. A change while it is read fails the run, and the next run reads it again. */
export interface StoredFile {
  readonly info: FileInfo
  /** Yields all bytes. After a broken connection, it continues where it was. */
  read(): AsyncGenerator<Uint8Array>
  /** Returns a part; the last byte does not belong to it. */
  readRange(from: number, to: number): Promise<ArrayBuffer>
}

export function openFile(app: App, bucket: Bucket, info: FileInfo): StoredFile {
  const { key, etag, size } = info

  const open = <T>(range: string | undefined, read: (response: FetchResponse) => Promise<T>) => {
    const headers = { ...(etag !== '' && { 'if-match': etag }), ...(range && { range }) }
    return bucket.get(key, { headers }, async (response) => {
      if (response.ok) return read(response)
      if (response.status === 412) throw new Error(`"${key}" has changed. The next run reads it.`)
      throw toRefusal(bucket, response, await response.text())
    })
  }

  return {
    info,
    async *read() {
      let position = 0
      for (let attempt = 1; ; attempt += 1) {
        const range = position === 0 ? undefined : `bytes=${position}-`
        const response = await open(range, async (opened) => opened)
        requirePart(key, response, range)
        // the host decodes it, so its positions are not those of the file
        const isEncoded = response.headers.get('content-encoding') !== null
        try {
          for await (const piece of response.body ?? []) {
            position += piece.length
            attempt = 1 // it got further than before
            yield piece
          }
          return
        } catch (error) {
          if (!isTemporary(error) || isEncoded) throw error
          await pause(app, new TemporaryProblem(error.message), attempt)
        }
      }
    },
    readRange(from, to) {
      const range = `bytes=${from}-${Math.min(to, size) - 1}`
      return open(range, async (response) => {
        requirePart(key, response, range)
        const bytes = new Uint8Array(Math.min(to, size) - from)
        let at = 0
        for await (const piece of response.body ?? []) {
          if (at + piece.length > bytes.length) throw new Error(`"${key}" is larger than listed.`)
          bytes.set(piece, at)
          at += piece.length
        }
        if (at < bytes.length) throw new Error(`"${key}" is shorter than listed.`)
        return bytes.buffer
      })
    },
  }
}

function requirePart(key: string, { status }: FetchResponse, range: string | undefined): void {
  if (range === undefined || status === 206) return
  throw new Error(`The storage cannot return a part of "${key}".`)
}
