import { open } from 'node:fs/promises'
import { promisify } from 'node:util'
import { gunzip } from 'node:zlib'
import { Parser } from 'tar'
import { AppProblem } from '#server/runtime/contract.ts'
import { giveWay } from '#server/turns.ts'
import {
  type AppFiles,
  appTooLarge,
  isAppFile,
  MAX_APP_BYTES,
  MAX_APP_FILES,
  requireFileName,
  requireText,
  tooManyAppFiles,
} from '../package/app-files.ts'
import { MANIFEST_FILE } from '../package/manifest.ts'

const unzip = promisify(gunzip)

export async function readArchive(path: string): Promise<AppFiles> {
  return (await unpackArchive(await readFileUpTo(path, MAX_APP_BYTES))).files
}

export interface AppArchive {
  readonly files: AppFiles
  /** The commit that git has noted in the archive, or empty. */
  readonly commit: string
}

/**
 * Reads an app from a `.tgz` in memory: nothing from an archive is ever written to disk. `folder` is the app's folder
 * below the archive's own.
 */
export async function unpackArchive(packed: Buffer, folder = ''): Promise<AppArchive> {
  const entries = await readEntries(await unpack(packed))
  const all = toFiles(entries)
  const root = findRoot([...all.keys()], folder)
  const files = [...all]
    .filter(([name]) => name.startsWith(root))
    .map(([name, bytes]) => [name.slice(root.length), bytes] as const)
    .filter(([name]) => isAppFile(name))
  return {
    files: Object.fromEntries(files.map(([name, bytes]) => [name, requireText(name, bytes)])),
    commit: entries.find(({ comment }) => COMMIT.test(comment))?.comment ?? '',
  }
}

const COMMIT = /^[0-9a-f]{40}$/

async function readFileUpTo(path: string, maxBytes: number): Promise<Buffer> {
  const file = await open(path).catch((error: NodeJS.ErrnoException) => {
    throw new AppProblem(`${path} cannot be read (${error.code}).`)
  })
  try {
    const stat = await file.stat()
    if (!stat.isFile()) throw new AppProblem(`${path} is not a file.`)
    if (stat.size > maxBytes) throw appTooLarge()
    return await file.readFile()
  } finally {
    await file.close()
  }
}

/** Stops at the limit, because a small archive can unpack to more than the memory. */
async function unpack(packed: Buffer): Promise<Buffer> {
  try {
    return await unzip(packed, { maxOutputLength: MAX_APP_BYTES })
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ERR_BUFFER_TOO_LARGE') throw appTooLarge()
    throw new AppProblem('The archive is not a .tgz file.')
  }
}

interface Entry {
  readonly name: string
  readonly type: string
  /** The comment of the whole archive. */
  readonly comment: string
  readonly chunks: Buffer[]
}

/** A repository has folders and other files besides those of the app. */
const MAX_ENTRIES = 3 * MAX_APP_FILES
const SLICE = 64 * 1024

/** Parses a slice in each turn of the event loop, because an archive can have 20,000 entries. */
async function readEntries(tar: Buffer): Promise<Entry[]> {
  if (isPacked(tar)) throw new AppProblem('The archive is packed twice.')
  const entries: Entry[] = []
  const parser = new Parser({
    strict: true,
    maxDecompressionRatio: Number.POSITIVE_INFINITY, // already unpacked, with a limit
    onReadEntry(entry) {
      const name = entry.path.replace(/^(\.\/+)+/, '')
      const chunks: Buffer[] = []
      entry.on('data', (chunk) => chunks.push(chunk))
      const comment = entry.globalExtended?.comment ?? ''
      entries.push({ name, type: entry.type, comment, chunks })
    },
  })
  const ended = new Promise<void>((resolve, reject) => {
    parser.on('error', (error: Error) =>
      reject(new AppProblem(`The archive is damaged: ${error.message}.`)),
    )
    parser.on('end', resolve)
  })
  ended.catch(() => {}) // awaited when all slices are written
  for (let at = 0; at < tar.length; at += SLICE) {
    parser.write(tar.subarray(at, at + SLICE))
    if (entries.length > MAX_ENTRIES) throw tooManyAppFiles()
    await giveWay()
  }
  parser.end()
  await ended
  return entries
}

/** The parser would unpack gzip and zstd again, without a limit. */
const PACKED = [Buffer.of(0x1f, 0x8b), Buffer.of(0x28, 0xb5, 0x2f, 0xfd)]

const isPacked = (bytes: Buffer): boolean =>
  PACKED.some((start) => bytes.subarray(0, start.length).equals(start))

const PLAIN = ['File', 'OldFile', 'ContiguousFile']

/** Keeps the last of several entries with the same name, as unpacking to disk would. */
function toFiles(entries: readonly Entry[]): Map<string, Buffer> {
  const files = new Map<string, Buffer>()
  for (const { name, type, chunks } of entries) {
    if (type === 'Directory') continue
    requireFileName(name)
    if (!PLAIN.includes(type)) {
      throw new AppProblem(`${name} is a ${type}. An archive may contain only plain files.`)
    }
    files.set(name, Buffer.concat(chunks))
  }
  if (files.size > MAX_APP_FILES) throw tooManyAppFiles()
  return files
}

/** Finds the folder of plugin.json: npm uses `package/`, other tools use another name or none. */
function findRoot(names: readonly string[], folder: string): string {
  if (folder) return `${names[0]?.split('/', 1)[0]}/${folder}/`
  const isInFolder = (name: string) => /^[^/]+\/plugin\.json$/.test(name)
  const manifest = names.find((name) => name === MANIFEST_FILE) ?? names.find(isInFolder)
  return manifest?.slice(0, -MANIFEST_FILE.length) ?? ''
}
