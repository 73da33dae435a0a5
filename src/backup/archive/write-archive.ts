import { createHash } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { open, stat } from 'node:fs/promises'
import { MANIFEST, MANIFEST_SUM, type Manifest, type ManifestMember } from './manifest.ts'
import { END, toHeader, toPadding } from './tar.ts'

export interface ArchiveWriter {
  add(name: string, content: Uint8Array, rows?: number): Promise<void>
  addFile(name: string, path: string, rows?: number): Promise<void>
  /** Writes the manifest and its checksum, and resolves when the archive is on disk. Returns its size. */
  finish(manifest: Omit<Manifest, 'members'>): Promise<number>
  close(): Promise<void>
}

/** Creates a file that only this user can read. Its members are written one after the other. */
export async function createArchive(path: string, createdAt: Date): Promise<ArchiveWriter> {
  const file = await open(path, 'wx', 0o600)
  const members: ManifestMember[] = []
  const modifiedAt = Math.floor(createdAt.getTime() / 1000)
  let size = 0

  async function write(bytes: Uint8Array): Promise<void> {
    await file.writeFile(bytes) // continues where the last write ended
    size += bytes.length
  }

  async function writeMember(
    name: string,
    length: number,
    content: AsyncIterable<Uint8Array> | Iterable<Uint8Array>,
  ): Promise<string> {
    const hash = createHash('sha256')
    let written = 0
    await write(toHeader({ name, size: length, modifiedAt }))
    for await (const bytes of content) {
      hash.update(bytes)
      written += bytes.length
      await write(bytes)
    }
    if (written !== length) throw new Error(`${name} has ${written} bytes instead of ${length}.`)
    await write(Buffer.alloc(toPadding(length)))
    return hash.digest('hex')
  }

  async function addContent(
    name: string,
    length: number,
    content: AsyncIterable<Uint8Array> | Iterable<Uint8Array>,
    rows: number | undefined,
  ): Promise<void> {
    const sha256 = await writeMember(name, length, content)
    members.push({ name, size: length, sha256, ...(rows !== undefined && { rows }) })
  }

  return {
    add: (name, content, rows) => addContent(name, content.length, [content], rows),
    async addFile(name, path, rows) {
      await addContent(name, (await stat(path)).size, createReadStream(path), rows)
    },
    async finish(manifest) {
      const text = Buffer.from(`${JSON.stringify({ ...manifest, members }, null, 1)}\n`)
      const sum = await writeMember(MANIFEST, text.length, [text])
      const line = Buffer.from(`${sum}  ${MANIFEST}\n`)
      await writeMember(MANIFEST_SUM, line.length, [line])
      await write(END)
      await file.sync()
      return size
    },
    close: () => file.close(),
  }
}
