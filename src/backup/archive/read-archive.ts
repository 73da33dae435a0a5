import { createHash } from 'node:crypto'
import { type FileHandle, open } from 'node:fs/promises'
import { OperatorError } from '#server/errors.ts'
import {
  KEY_MEMBER,
  MANIFEST,
  MANIFEST_SUM,
  MAX_ARCHIVE_MEMBERS,
  MAX_BYTES,
  type Manifest,
  type ManifestMember,
  maxManifestBytes,
  parseManifest,
  parseName,
} from './manifest.ts'
import { type ArchiveMember, END, parseHeader, TAR_BLOCK, toPadding } from './tar.ts'

const CHUNK = 1024 * 1024

export interface ReadMember extends ArchiveMember {
  /** Reads the content. Can be called any number of times until the archive is closed. */
  content(): AsyncGenerator<Buffer>
}

export interface Archive {
  readonly manifest: Manifest
  /** The members that the manifest lists, each as large as it says. In the order of the manifest. */
  readonly members: readonly (ReadMember & ManifestMember)[]
  close(): Promise<void>
}

export const damagedBackup = (path: string, problem: string): OperatorError =>
  new OperatorError(`The backup ${path} is damaged or incomplete (${problem}). Use another one.`)

/** Opens an archive and compares every byte of it with the checksums of its manifest. */
export async function openArchive(
  path: string,
  onProgress: (done: number, total: number) => void = () => {},
): Promise<Archive> {
  const file = await open(path, 'r').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') throw new OperatorError(`There is no backup at ${path}.`)
    throw new OperatorError(`Cannot read the backup ${path}: ${error.message}.`)
  })
  try {
    if (!(await file.stat()).isFile()) {
      throw new OperatorError(`${path} is not a file. Name the file of a backup.`)
    }
    const found = await listMembers(file, path)
    const manifest = await readManifest(found, path)
    const members = await compare(found, manifest, path, onProgress)
    return { manifest, members, close: () => file.close() }
  } catch (error) {
    await file.close()
    throw error
  }
}

/** Lists all members, and requires that nothing else is between and after them. */
async function listMembers(file: FileHandle, path: string): Promise<ReadMember[]> {
  const stats = await file.stat()
  if (!stats.isFile()) throw damagedBackup(path, 'it is not a file')
  const total = stats.size
  const members: ReadMember[] = []
  for (let at = 0; ; ) {
    if (at + END.length > total) throw damagedBackup(path, 'it ends too early')
    const block = await readBytes(file, at, TAR_BLOCK)
    if (block.equals(END.subarray(0, TAR_BLOCK))) {
      const end = await readBytes(file, at, END.length)
      if (!end.equals(END) || at + END.length !== total)
        throw damagedBackup(path, 'its end is wrong')
      return members
    }
    if (members.length > MAX_ARCHIVE_MEMBERS) throw damagedBackup(path, 'it has too many members')
    const member = parseHeader(block)
    if (!member) throw damagedBackup(path, `a header at byte ${at} is wrong`)
    const from = at + TAR_BLOCK
    members.push({ ...member, content: () => readContent(file, from, member.size) })
    const padding = toPadding(member.size)
    at = from + member.size + padding
    if (at > total) throw damagedBackup(path, 'it ends too early')
    const filling = await readBytes(file, at - padding, padding)
    if (filling.some((byte) => byte !== 0)) throw damagedBackup(path, `${member.name} ends wrong`)
  }
}

async function readBytes(file: FileHandle, at: number, length: number): Promise<Buffer> {
  const bytes = Buffer.alloc(length)
  const { bytesRead } = await file.read(bytes, 0, length, at)
  return bytes.subarray(0, bytesRead)
}

async function* readContent(file: FileHandle, from: number, size: number): AsyncGenerator<Buffer> {
  for (let done = 0; done < size; ) {
    const bytes = await readBytes(file, from + done, Math.min(CHUNK, size - done))
    if (bytes.length === 0) throw new Error('The backup was cut off while it was read.')
    done += bytes.length
    yield bytes
  }
}

/** Reads a whole member into memory. */
export const readWhole = async (member: Pick<ReadMember, 'content'>): Promise<Buffer> =>
  Buffer.concat(await Array.fromAsync(member.content()))

async function readManifest(members: readonly ReadMember[], path: string): Promise<Manifest> {
  const [manifest, sum] = members.slice(-2)
  if (manifest?.name !== MANIFEST || sum?.name !== MANIFEST_SUM) {
    throw damagedBackup(path, 'it has no manifest')
  }
  if (manifest.size > maxManifestBytes(members.length) || sum.size > TAR_BLOCK) {
    throw damagedBackup(path, 'its manifest is too large')
  }
  const text = await readWhole(manifest)
  const line = `${createHash('sha256').update(text).digest('hex')}  ${MANIFEST}\n`
  if ((await readWhole(sum)).toString('latin1') !== line) {
    throw damagedBackup(path, `${MANIFEST} does not match its checksum`)
  }
  const parsed = parseManifest(text.toString())
  if (typeof parsed === 'string')
    throw new OperatorError(`Cannot use the backup ${path}: ${parsed}.`)
  return parsed
}

/** Pairs the members with their entries in the manifest, and compares their checksums and the sums of their rows. */
async function compare(
  found: readonly ReadMember[],
  manifest: Manifest,
  path: string,
  onProgress: (done: number, total: number) => void,
): Promise<Archive['members']> {
  const contents = found.slice(0, -2)
  const total = contents.reduce((sum, { size }) => sum + size, 0)
  if (contents.length !== manifest.members.length) throw damagedBackup(path, 'members are missing')
  let done = 0
  const members: (ReadMember & ManifestMember)[] = []
  for (const [index, member] of contents.entries()) {
    const entry = manifest.members[index] as ManifestMember
    const place = parseName(member.name)
    const isListed = entry.name === member.name && entry.size === member.size
    if (!isListed || !place) throw damagedBackup(path, `${member.name} is not listed`)
    if (member.size > MAX_BYTES[place.kind]) {
      throw damagedBackup(path, `${member.name} is too large`)
    }
    const hash = createHash('sha256')
    for await (const bytes of member.content()) {
      hash.update(bytes)
      done += bytes.length
      onProgress(done, total)
    }
    if (hash.digest('hex') !== entry.sha256) {
      throw damagedBackup(path, `${member.name} does not match its checksum`)
    }
    members.push({ ...member, ...entry })
  }
  requireNames(manifest, path)
  requireCounts(manifest, path)
  return members
}

function requireNames({ members, includes_key }: Manifest, path: string): void {
  const names = new Set(members.map(({ name }) => name))
  if (names.size !== members.length) throw damagedBackup(path, 'two members have the same name')
  if (names.has(KEY_MEMBER) !== includes_key) {
    throw damagedBackup(path, `its manifest is wrong about ${KEY_MEMBER}`)
  }
}

function requireCounts({ members, tables, event_tables, files }: Manifest, path: string): void {
  const rows = new Map<string, number>()
  let parts = 0
  for (const { name, rows: count = 0 } of members) {
    const place = parseName(name)
    if (place?.kind === 'file') parts++
    if (place?.kind !== 'rows' && place?.kind !== 'events') continue
    const key = `${place.kind} ${place.table}`
    rows.set(key, (rows.get(key) ?? 0) + count)
  }
  const expected = [
    ...Object.entries(tables).map(([table, count]) => [`rows ${table}`, count] as const),
    ...Object.entries(event_tables).map(([table, count]) => [`events ${table}`, count] as const),
  ]
  const isWrong = ([key, count]: readonly [string, number]) => (rows.get(key) ?? 0) !== count
  if (
    parts !== files ||
    expected.some(isWrong) ||
    [...rows.keys()].some((key) => !expected.some(([one]) => one === key))
  ) {
    throw damagedBackup(path, 'its counts do not match')
  }
}
