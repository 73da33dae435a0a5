import { rmSync, statSync } from 'node:fs'
import { dirname, join } from 'node:path'
import type { DuckDBConnection, DuckDBInstance } from '@duckdb/node-api'
import { ApiError, OperatorError } from '#server/errors.ts'
import { damagedEvents, newerEvents } from '../damaged-events.ts'
import { openSnapshot } from '../derive/snapshot.ts'
import type { OnProgress } from '../event-store.ts'
import type { Installation } from '../installation.ts'
import type { PropertyKeys } from '../materialized-properties.ts'
import type { EventSnapshot } from '../portable-tables.ts'
import { createRunaways, type Runaways } from '../runaways.ts'
import { prepareAppends } from './append.ts'
import { catchUpPersons, forgetGroupless } from './catch-up-persons.ts'
import {
  isDamage,
  isNewerFormat,
  isWithoutHeaders,
  requireFile,
  requireKnownSchema,
  requireOwnFile,
  toFirstLine,
} from './check-file.ts'
import { ensureFacts, quote } from './facts.ts'
import { createImportMemory, type ImportMemory } from './import-memory.ts'
import { loadDuckDb } from './load.ts'
import { WHOLE } from './memory-limit.ts'
import { createReaders, type Readers } from './readers.ts'
import { openSnapshotTables, PARTS_FOLDER } from './snapshot.ts'
import { TABLES } from './tables.ts'

export const EVENTS_FILE = 'events.duckdb'

/** Has separate connections, so that deletions, appends and reads do not wait for each other. */
export interface EventsFile {
  readonly appends: DuckDBConnection
  readonly changes: DuckDBConnection
  readonly readers: Readers
  readonly memory: ImportMemory
  /** The properties that have columns. */
  readonly materializedKeys: PropertyKeys
  /** The highest sequence number of an event so far. */
  readonly lastSeq: number
  /** Up to this number no event is a duplicate of an earlier one. */
  readonly dedupedUpTo: number
  /** Whether persons had to be derived first. */
  readonly caughtUp: boolean
  /** Increased by every deletion, so that cached results become stale. */
  readonly deletions: number
  openSnapshot(lastProjectId: number): Promise<EventSnapshot>
  close(): Promise<void>
}

const settings = (folder: string): Record<string, string> => ({
  ...WHOLE,
  // returns free memory to the system immediately; by default, 128 MB or more are kept
  allocator_flush_threshold: '1MB',
  allocator_bulk_deallocation_flush_threshold: '1MB',
  temp_directory: join(folder, 'events.tmp'),
  // 32 MB of log are replayed in well under a second; at the usual 16 MB imports wait twice as often
  checkpoint_threshold: '32MB',
  autoinstall_known_extensions: 'false',
  autoload_known_extensions: 'false',
  allow_community_extensions: 'false',
})

/**
 * Writing a checkpoint holds whole row groups in memory, uncompressed: with DuckDB's own 122,880 rows an import of a
 * million events peaked at 384 MB, with these at 283.
 */
const ROWS_PER_GROUP = 30_720

/** Can be written in a checkpoint with little memory, whatever it contains. */
const SMALL_LOG = 4 * 1024 * 1024

/** DuckDB locks a file against other processes, but not against its own. */
const openHere = new Set<string>()

/** Throws if the file is missing, damaged or of another installation, and changes nothing then. */
export async function openEventsFile(
  folder: string,
  installation: Installation,
  onProgress: OnProgress = () => {},
  runaways: Runaways = createRunaways(),
): Promise<EventsFile> {
  const path = join(folder, EVENTS_FILE)
  if (openHere.has(path)) throw inUse()
  openHere.add(path)
  try {
    requireFile(path, installation)
    const onClose = () => void openHere.delete(path)
    return await open(path, folder, { installation, onProgress, onClose, runaways })
  } catch (error) {
    openHere.delete(path)
    return explain(error as Error, path)
  }
}

interface OpenOptions {
  readonly installation: Installation
  readonly onProgress: OnProgress
  readonly onClose: () => void
  readonly runaways: Runaways
}

async function open(
  path: string,
  folder: string,
  { installation, onProgress, onClose, runaways }: OpenOptions,
): Promise<EventsFile> {
  const { DuckDBInstance } = await loadDuckDb()
  const hasLarge = mayHaveLarge(path)
  const instance = await DuckDBInstance.create(':memory:', settings(folder))
  const changes = await instance.connect()
  try {
    await attachOrCreate(changes, path, installation)
    await requireKnownSchema(changes, path)
    await requireOwnFile(changes, path, installation)
    for (const statement of TABLES) await changes.run(statement)
    await changes.run('update meta set installation = $id where installation is null', {
      id: installation.id,
    })
    await forgetGroupless(changes)
    const caughtUp = await catchUpPersons(changes, onProgress)
    const materializedKeys = await ensureFacts(changes)
    const state = await readState(changes)
    const appends = await prepareAppends(await connect(instance))
    const limits = await connect(instance)
    const memory = createImportMemory(limits, { hasLarge })
    const readers = createReaders(() => connect(instance), runaways, memory)
    let snapshot: EventSnapshot | undefined
    let isSnapshotOpen = false
    const close = async () => {
      await snapshot?.close()
      const hasEnded = await readers.close()
      await memory.stop()
      onClose()
      if (!hasEnded) return // the end of the process closes the file; what is committed is in its log
      for (const connection of [appends, changes, limits]) connection.closeSync()
      instance.closeSync()
    }
    return {
      appends,
      changes,
      readers,
      memory,
      materializedKeys,
      caughtUp,
      ...state,
      async openSnapshot(lastProjectId) {
        if (isSnapshotOpen) throw backupRunning()
        isSnapshotOpen = true
        const onClose = () => {
          if (isSnapshotOpen) memory.release()
          isSnapshotOpen = false
        }
        await memory.acquire()
        try {
          const connection = await connect(instance)
          const tables = await openSnapshotTables(connection, { folder, lastProjectId, onClose })
          snapshot = await openSnapshot(tables)
          return snapshot
        } catch (error) {
          onClose()
          throw error
        }
      },
      close,
    }
  } catch (error) {
    changes.closeSync() // an open connection keeps the file locked
    instance.closeSync()
    throw error
  }
}

/**
 * Attaches the file. One without its headers, which a full disk or a kill leaves while DuckDB creates it, holds nothing
 * and is created again, unless the installation has had events. The failed attempt shows that no other process has the
 * file open.
 */
async function attachOrCreate(
  connection: DuckDBConnection,
  path: string,
  { has_events }: Installation,
): Promise<void> {
  try {
    await attach(connection, path)
  } catch (error) {
    if (isLocked(error as Error) || has_events === 1 || !isWithoutHeaders(path)) throw error
    for (const file of [path, `${path}.wal`]) rmSync(file, { force: true })
    await attach(connection, path)
  }
}

/** The log of a killed server may contain large events, which wait for a checkpoint. */
const mayHaveLarge = (path: string): boolean =>
  (statSync(`${path}.wal`, { throwIfNoEntry: false })?.size ?? 0) > SMALL_LOG

/** Attaches the file, which is the only way to set its row group size; afterwards statements reach no other files but the parts of a backup. */
async function attach(connection: DuckDBConnection, path: string): Promise<void> {
  await connection.run(`attach ${quote(path)} as store (row_group_size ${ROWS_PER_GROUP})`)
  await connection.run("set global TimeZone = 'UTC'") // the default is the machine's
  await connection.run(`set allowed_directories = [${quote(join(dirname(path), PARTS_FOLDER))}]`)
  await connection.run('set enable_external_access = false')
  await connection.run("set allowed_configs = ['memory_limit', 'threads']")
  await connection.run('set lock_configuration = true')
  await connection.run('use store')
}

async function connect(instance: DuckDBInstance): Promise<DuckDBConnection> {
  const connection = await instance.connect()
  await connection.run('use store')
  return connection
}

/** Numbers above the mark may be reused after their event was deleted; a reused one below would escape deduplication. */
async function readState(connection: DuckDBConnection) {
  const reader = await connection.runAndReadAll(
    `select settled_up_to::double, greatest(settled_up_to, (select coalesce(max(seq), 0) from events))::double, removals::double from meta`,
  )
  const [dedupedUpTo, lastSeq, deletions] = reader.getRows()[0] as [number, number, number]
  return { dedupedUpTo, lastSeq, deletions }
}

const isLocked = ({ message }: Error): boolean =>
  /Could not set lock|Conflicting lock/.test(message)

function explain(error: Error, path: string): never {
  const { message } = error
  if (error instanceof OperatorError || error instanceof ApiError) throw error
  if (isLocked(error)) throw inUse()
  if (isNewerFormat(message)) throw newerEvents(path)
  if (isDamage(message)) throw damagedEvents(path, toFirstLine(message))
  throw error
}

const backupRunning = (): OperatorError =>
  new OperatorError('Another backup is running. Try again when it has ended.')

const inUse = (): ApiError => {
  const detail =
    'Another process has the event store open: only one can. Stop it, or set DATABASE_URL so that events go to PostgreSQL.'
  return new ApiError('unavailable', detail)
}
