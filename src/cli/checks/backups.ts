import { constants } from 'node:fs'
import { access } from 'node:fs/promises'
import { toAgo } from '#model/ago.ts'
import { hasTable, readDatabaseTime } from '#server/db/dialect.ts'
import type { Db } from '#server/db/schema.ts'
import type { BackupSchedule } from '#server/features/backups/schema.ts'
import {
  findScheduledBackup,
  hasFailed,
  isLate,
  type ScheduledBackupRow,
} from '#server/features/backups/store.ts'
import { toMegabytes } from '../print.ts'
import { bad, type Check, good, warning } from './check.ts'

const NAME = 'backups'

/** Checks that the last scheduled backup is new enough, and that there is a place for the next one. */
export async function checkBackups(db: Db, schedule: BackupSchedule | undefined): Promise<Check> {
  if (!schedule) {
    return good(
      NAME,
      'not scheduled; HEDGEROW_BACKUP_FOLDER schedules them (see docs/operating.md)',
    )
  }
  const problem = await findFolderProblem(schedule.folder)
  if (problem) return bad(NAME, problem)
  const row = (await hasTable(db, 'scheduled_backups')) && (await findScheduledBackup(db))
  if (!row) return good(NAME, `${schedule.folder} (the first one is made when a server starts)`)
  const now = await readDatabaseTime(db)
  const failure = hasFailed(row) ? ` The last attempt failed: ${row.problem}` : ''
  if (isLate(row, schedule.intervalSeconds, now)) {
    return bad(
      NAME,
      `${describeLast(row, now)}, which is too old.${failure} Make one now with \`hedgerow backup FILE\`, and check that a server or worker with HEDGEROW_BACKUP_FOLDER is running.`,
    )
  }
  const last = describeLast(row, now)
  return failure ? warning(NAME, `${last}.${failure}`) : good(NAME, last)
}

function describeLast(row: ScheduledBackupRow, now: number): string {
  if (row.succeeded_at === null) return `No backup yet, scheduled ${toAgo(row.since, now)}`
  const size = toMegabytes(row.bytes ?? 0)
  const seconds = Math.ceil((row.duration_ms ?? 0) / 1000)
  return `The last one is from ${toAgo(row.succeeded_at, now)}: ${row.file} (${size}, ${seconds} s)`
}

/** A folder that does not exist is created with the first backup. */
async function findFolderProblem(folder: string): Promise<string | undefined> {
  try {
    await access(folder, constants.W_OK | constants.X_OK)
    return undefined
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException
    return code === 'ENOENT' ? undefined : `Cannot write to HEDGEROW_BACKUP_FOLDER: ${message}.`
  }
}
