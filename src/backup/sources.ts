import type { Transaction } from 'kysely'
import { openEventStore } from '#server/analytics/open.ts'
import type { EventSnapshot } from '#server/analytics/portable-tables.ts'
import { lockDataFolder } from '#server/db/folder-lock.ts'
import { openStorage, type StorageOptions } from '#server/db/open.ts'
import type { Db, Schema } from '#server/db/schema.ts'
import { OperatorError } from '#server/errors.ts'
import { connectToServer, openServerSnapshot } from './control/client.ts'
import { openPostgresSnapshot } from './metadata/postgres-snapshot.ts'
import { openSqliteSnapshot, readProjects, readProjectsNow } from './metadata/sqlite-snapshot.ts'
import type { MetadataSnapshot } from './metadata/tables.ts'

/** The whole installation as it was at one moment. */
export interface Sources {
  readonly metadata: MetadataSnapshot
  readonly events: EventSnapshot
  close(): Promise<void>
}

/** `folder` is for temporary files. */
export async function openSources(options: StorageOptions, folder: string): Promise<Sources> {
  if (options.databaseUrl) return openPostgres(options, folder)
  const { dataFolder, isHeld } = options
  if (isHeld) return openStopped(options)
  const server = await connectToServer(dataFolder)
  server?.destroy()
  return server
    ? openTogether(dataFolder, (lastProjectId) => openServerSnapshot(dataFolder, lastProjectId))
    : openStopped(options)
}

/** One transaction sees one moment of the whole database, and nobody waits for it. */
async function openPostgres(options: StorageOptions, folder: string): Promise<Sources> {
  const storage = await openStorage(options)
  const closing = new AsyncDisposableStack()
  const close = () => closing.disposeAsync()
  closing.defer(storage.close)
  try {
    await requireInstallation(storage.db)
    const store = openEventStore({ ...options, db: storage.db })
    closing.defer(store.close)
    await store.requireReady() // creates what an earlier version has not, before the transaction begins
    const release = await store.holdChanges?.()
    if (release) closing.defer(release)
    const tx = await storage.db.startTransaction().setIsolationLevel('repeatable read').execute()
    closing.defer(async () => void (await tx.rollback().execute()))
    const metadata = await openPostgresSnapshot(tx as Transaction<Schema>)
    await release?.()
    const events = await store.openSnapshot({
      tx: tx as Transaction<Schema>,
      lastProjectId: metadata.lastIds.projects ?? 0,
      folder,
    })
    closing.defer(events.close)
    return { metadata, events, close }
  } catch (error) {
    await close()
    throw error
  }
}

/** Without a server, this process opens the events itself, and no server can start meanwhile. */
async function openStopped(options: StorageOptions): Promise<Sources> {
  const closing = new AsyncDisposableStack()
  const close = () => closing.disposeAsync()
  if (!options.isHeld) closing.defer(lockDataFolder(options.dataFolder))
  try {
    const storage = await openStorage(options)
    closing.defer(storage.close)
    await requireInstallation(storage.db)
    const store = openEventStore({ ...options, db: storage.db })
    closing.defer(store.close)
    const sources = await openTogether(options.dataFolder, (lastProjectId) =>
      store.openSnapshot({ lastProjectId }),
    )
    closing.defer(sources.close)
    return { ...sources, close }
  } catch (error) {
    await close()
    throw error
  }
}

const MAX_TRIES = 10

/**
 * Opens the database first and the events second, so that every event that the database knows of is there. Events of
 * projects that were created in between are left out. If one was deleted, its record and its events might not fit
 * together, so both are opened again.
 */
async function openTogether(
  folder: string,
  openEvents: (lastProjectId: number) => Promise<EventSnapshot>,
): Promise<Sources> {
  for (let tries = 1; ; tries++) {
    const metadata = openSqliteSnapshot(folder)
    const closeMetadata = metadata.close
    try {
      const lastProjectId = metadata.lastIds.projects ?? 0
      const before = await readProjects(metadata)
      const events = await openEvents(lastProjectId)
      const close = async () => {
        await events.close()
        await closeMetadata()
      }
      if (readProjectsNow(folder, lastProjectId) === before) return { metadata, events, close }
      await close()
    } catch (error) {
      await closeMetadata()
      throw error
    }
    if (tries === MAX_TRIES) {
      throw new OperatorError('Projects are being deleted all the time. Try again later.')
    }
  }
}

async function requireInstallation(db: Db): Promise<void> {
  const some = await db.selectFrom('organizations').select('id').executeTakeFirst()
  if (!some) throw new OperatorError('There is nothing to back up: the storage is empty.')
}
