import { constants, existsSync } from 'node:fs'
import { access, open, rename, rm } from 'node:fs/promises'
import { dirname, join, resolve } from 'node:path'
import { PORTABLE_TABLE_NAMES } from '#server/analytics/portable-tables.ts'
import { createPrivateFilesOnly } from '#server/db/data-folder.ts'
import type { StorageOptions } from '#server/db/open.ts'
import { OperatorError } from '#server/errors.ts'
import { findKeyRing } from '#server/secrets/key-ring.ts'
import { toKeyText } from '#server/secrets/keys.ts'
import {
  FORMAT,
  KEY_MEMBER,
  type Manifest,
  toChunkName,
  toEventsName,
  toRowsName,
} from './archive/manifest.ts'
import { type ArchiveWriter, createArchive } from './archive/write-archive.ts'
import { METADATA_TABLE_NAMES, type MetadataTable } from './metadata/tables.ts'
import { openSources, type Sources } from './sources.ts'
import { withWorkFolder } from './work-folder.ts'

export interface BackupOptions extends StorageOptions {
  readonly secretKey: string | undefined
  /** Whether to include the key that decrypts the secrets. */
  readonly withKey: boolean
  /** This version of Hedgerow. */
  readonly version: string
  readonly onProgress: (done: number, total: number) => void
}

export interface BackupSummary {
  readonly path: string
  readonly bytes: number
  readonly created_at: string
  readonly rows: number
  readonly events: number
  readonly files: number
  readonly includes_key: boolean
}

/** Backs up everything into a new file. It has its name only when it is complete and on disk. */
export async function createBackup(file: string, options: BackupOptions): Promise<BackupSummary> {
  const path = resolve(file)
  if (existsSync(path)) throw new OperatorError(`${path} exists. Choose another name.`)
  createPrivateFilesOnly()
  const parent = dirname(path)
  await access(parent, constants.W_OK).catch((error: Error) => {
    throw new OperatorError(`Cannot write to ${parent}: ${error.message}.`)
  })
  return withWorkFolder(parent, async (folder) => {
    const sources = await openSources(options, folder)
    try {
      const temporary = join(folder, 'backup.tar')
      const summary = await writeAll(temporary, sources, options)
      await rename(temporary, path)
      await syncFolder(parent)
      return { path, ...summary }
    } finally {
      await sources.close()
    }
  })
}

async function writeAll(
  path: string,
  sources: Sources,
  options: BackupOptions,
): Promise<Omit<BackupSummary, 'path'>> {
  const createdAt = new Date()
  const archive = await createArchive(path, createdAt)
  try {
    const tables: Record<string, number> = {}
    for (const table of METADATA_TABLE_NAMES) tables[table] = await addRows(archive, sources, table)
    const files = await addFiles(archive, sources)
    await addEvents(archive, sources, options.onProgress)
    if (options.withKey) await archive.add(KEY_MEMBER, readKeys(options))
    const manifest: Omit<Manifest, 'members'> = {
      format: FORMAT,
      product: 'hedgerow',
      version: options.version,
      created_at: createdAt.toISOString(),
      migrations: [...sources.metadata.migrations],
      tables,
      event_tables: sources.events.counts,
      files,
      last_ids: sources.metadata.lastIds,
      key_ids: await listKeyIds(sources),
      includes_key: options.withKey,
    }
    const bytes = await archive.finish(manifest)
    return {
      bytes,
      created_at: manifest.created_at,
      rows: Object.values(tables).reduce((sum, count) => sum + count, 0),
      events: sources.events.counts.events,
      files,
      includes_key: options.withKey,
    }
  } finally {
    await archive.close()
  }
}

/** Lines are collected in memory until there are this many bytes, because a member begins with its size. */
const MAX_LINES_BYTES = 4 * 1024 * 1024

async function addRows(
  archive: ArchiveWriter,
  { metadata }: Sources,
  table: MetadataTable,
): Promise<number> {
  let total = 0
  let part = 0
  let lines: string[] = []
  let size = 0
  const flush = async () => {
    if (lines.length === 0) return
    await archive.add(toRowsName(table, ++part), Buffer.from(lines.join('')), lines.length)
    total += lines.length
    lines = []
    size = 0
  }
  for await (const row of metadata.rows(table)) {
    const line = `${JSON.stringify(row)}\n`
    lines.push(line)
    size += line.length
    if (size > MAX_LINES_BYTES) await flush()
  }
  await flush()
  return total
}

/** Contents are encrypted in the database, and stay encrypted. */
async function addFiles(archive: ArchiveWriter, { metadata }: Sources): Promise<number> {
  let count = 0
  for await (const { attachment_id, position, sealed } of metadata.files()) {
    await archive.add(toChunkName(attachment_id, position), sealed)
    count++
  }
  return count
}

async function addEvents(
  archive: ArchiveWriter,
  { events }: Sources,
  onProgress: BackupOptions['onProgress'],
): Promise<void> {
  for (const table of PORTABLE_TABLE_NAMES) {
    let rows = 0
    for (let number = 1; ; number++) {
      const part = await events.nextPart(table)
      if (!part) break
      await archive.addFile(toEventsName(table, number), part.path, part.rows)
      await rm(part.path)
      rows += part.rows
      if (table === 'events') onProgress(rows, events.counts.events)
    }
  }
}

async function listKeyIds({ metadata }: Sources): Promise<string[]> {
  const rows = await Array.fromAsync(metadata.rows('secret_keys'))
  return rows.map(({ id }) => id as string)
}

function readKeys(options: BackupOptions): Buffer {
  const keys = findKeyRing(options)?.all()
  if (!keys) throw new OperatorError('There is no secret key to include. Run without --with-key.')
  return Buffer.from(keys.map((key) => `${toKeyText(key)}\n`).join(''))
}

async function syncFolder(folder: string): Promise<void> {
  const handle = await open(folder, 'r')
  try {
    await handle.sync()
  } finally {
    await handle.close()
  }
}
