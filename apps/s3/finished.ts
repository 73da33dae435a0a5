import { hash } from 'node:crypto'
import type { Meta } from '../shared/app.ts'
import type { FileInfo } from './list.ts'

/** The versions of the files that are imported, and the place in the one that is not. */
export interface Finished {
  has(file: FileInfo): Promise<boolean>
  add(file: FileInfo): Promise<void>
  /** Returns the number of rows of a file that are imported, if an earlier run broke off in it. */
  rowsOf(file: FileInfo): Promise<number>
  saveRows(file: FileInfo, rows: number): Promise<void>
}

/** Files are spread over this many stored values, because each of them has a limit. */
const PARTS = 256
/** Short hashes, so that a million files fit into the storage of a config. */
const KEY_LENGTH = 16
const VERSION_LENGTH = 10
const POSITION = 'position'

/** Remembers files for one mapping: with another one, all of them are imported again. */
export function createFinished({ storage }: Pick<Meta, 'storage'>, mapping: string): Finished {
  const parts = new Map<string, Map<string, string>>()

  const toName = ({ key }: FileInfo) => hash('sha256', JSON.stringify([mapping, key]))
  const toVersion = ({ etag, size }: FileInfo) =>
    hash('sha256', JSON.stringify([etag, size])).slice(0, VERSION_LENGTH)
  const toPartName = (name: string) => `files ${Number.parseInt(name.slice(-4), 16) % PARTS}`

  const load = async (partName: string): Promise<Map<string, string>> => {
    const known = parts.get(partName)
    if (known) return known
    const stored = await storage.get(partName)
    const lines = typeof stored === 'string' ? stored.split('\n') : []
    const part = new Map(
      lines.map((line) => [line.slice(0, KEY_LENGTH), line.slice(KEY_LENGTH)] as const),
    )
    parts.set(partName, part)
    return part
  }

  const toPosition = (file: FileInfo) => `${toName(file).slice(0, KEY_LENGTH)} ${toVersion(file)}`

  return {
    async has(file) {
      const name = toName(file)
      const part = await load(toPartName(name))
      return part.get(name.slice(0, KEY_LENGTH)) === toVersion(file)
    },
    async add(file) {
      const name = toName(file)
      const part = await load(toPartName(name))
      part.set(name.slice(0, KEY_LENGTH), toVersion(file))
      const lines = [...part].map(([key, version]) => key + version)
      await storage.set(toPartName(name), lines.join('\n'))
      await storage.del(POSITION)
    },
    async rowsOf(file) {
      const stored = (await storage.get(POSITION)) as { of?: unknown; rows?: unknown } | undefined
      return stored?.of === toPosition(file) && Number.isSafeInteger(stored.rows)
        ? Math.max(Number(stored.rows), 0)
        : 0
    },
    saveRows: (file, rows) => storage.set(POSITION, { of: toPosition(file), rows }),
  }
}
