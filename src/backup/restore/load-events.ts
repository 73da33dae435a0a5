import { createWriteStream } from 'node:fs'
import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import type { EventEngine, RestoreTarget } from '#server/analytics/engine.ts'
import type { OnProgress } from '#server/analytics/event-store.ts'
import {
  type EventRestore,
  PORTABLE_TABLE_NAMES,
  type TableCounts,
} from '#server/analytics/portable-tables.ts'
import { parseName } from '../archive/manifest.ts'
import type { Archive } from '../archive/read-archive.ts'
import { requireCounts } from './load-archive.ts'
import { refuse } from './refuse.ts'

/** Unpacks one part after the other and adds its rows. */
export async function restoreEvents(
  engine: EventEngine,
  target: RestoreTarget,
  archive: Archive,
  onProgress: OnProgress,
): Promise<EventRestore> {
  const restore = await engine.openRestore(target)
  try {
    requireCounts(await addParts(restore, archive, onProgress), archive.manifest.event_tables)
    return restore
  } catch (error) {
    await restore.close()
    throw error
  }
}

async function addParts(
  restore: EventRestore,
  { members, manifest }: Archive,
  onProgress: OnProgress,
): Promise<TableCounts> {
  const path = join(restore.partsFolder, 'part.parquet')
  let done = 0
  for (const table of PORTABLE_TABLE_NAMES) {
    for (const member of members) {
      const place = parseName(member.name)
      if (place?.kind !== 'events' || place.table !== table) continue
      await pipeline(member.content(), createWriteStream(path, { mode: 0o600 }))
      await restore.add(table, path, member.rows ?? 0).catch((error) => refuse(error, member.name))
      await rm(path)
      if (table !== 'events') continue
      done += member.rows ?? 0
      onProgress(done, manifest.event_tables.events ?? 0)
    }
  }
  return restore.finish().catch((error) => refuse(error, 'the events'))
}
