import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { toEtag } from './etag.ts'

export interface BuiltFile {
  readonly bytes: Buffer
  readonly etag: string
}

export interface BuiltFiles {
  /** Relative to the built folder. */
  readonly names: ReadonlySet<string>
  has(name: string): boolean
  /** Returns undefined for a file that was not built, or that a new build has deleted. */
  read(name: string): BuiltFile | undefined
}

/** Requests for unknown files list the folder again, at most this often. */
const LIST_AGAIN_MS = 1000

/**
 * Reads each file once, on demand: few of the 13 MB are ever needed. After a new build its pages are read again, so
 * that a reload gets it; files that were read before stay available to open tabs.
 */
export function openBuiltFiles(folder: string): BuiltFiles {
  const read = new Map<string, BuiltFile>()
  // only listed files are ever opened
  let names = listFiles(folder)
  let listedAt = Date.now()

  function listAgain(): void {
    for (const name of read.keys()) if (name.endsWith('.html')) read.delete(name)
    names = listFiles(folder)
    listedAt = Date.now()
  }

  const has = (name: string): boolean => read.has(name) || names.has(name)

  return {
    get names() {
      return names
    },
    has,
    read(name) {
      const known = read.get(name)
      if (known) return known
      if (!has(name) && Date.now() - listedAt > LIST_AGAIN_MS) listAgain()
      if (!has(name)) return undefined
      const bytes = unlessMissing(() => readFileSync(join(folder, name)))
      if (!bytes) {
        listAgain()
        return undefined
      }
      const file = { bytes, etag: toEtag(bytes) }
      read.set(name, file)
      return file
    },
  }
}

const listFiles = (folder: string): ReadonlySet<string> =>
  new Set(unlessMissing(() => readdirSync(folder, { recursive: true, encoding: 'utf8' })))

function unlessMissing<T>(work: () => T): T | undefined {
  try {
    return work()
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined
    throw error
  }
}
