import { readDatabaseTime } from '#server/db/dialect.ts'
import type { Db } from '#server/db/schema.ts'
import type { BackupSchedule, ScheduledBackups } from './schema.ts'
import { findScheduledBackup, isLate, type ScheduledBackupRow } from './store.ts'

export async function getScheduledBackups(
  db: Db,
  schedule: BackupSchedule | undefined,
): Promise<ScheduledBackups> {
  const [row, now] = [await findScheduledBackup(db), await readDatabaseTime(db)]
  return {
    schedule: schedule
      ? {
          folder: schedule.folder,
          interval_seconds: schedule.intervalSeconds,
          keep: schedule.keep,
        }
      : null,
    last_backup: row ? toLastBackup(row) : null,
    last_failure: row ? toLastFailure(row) : null,
    is_running: row?.lease_until != null && Date.parse(row.lease_until) > now,
    is_late:
      row !== undefined && schedule !== undefined && isLate(row, schedule.intervalSeconds, now),
  }
}

const toLastBackup = (row: ScheduledBackupRow): ScheduledBackups['last_backup'] =>
  row.succeeded_at === null
    ? null
    : {
        file: row.file ?? '',
        created_at: row.succeeded_at,
        bytes: row.bytes ?? 0,
        events: row.events ?? 0,
        duration_ms: row.duration_ms ?? 0,
      }

const toLastFailure = ({
  failed_at,
  problem,
}: ScheduledBackupRow): ScheduledBackups['last_failure'] =>
  failed_at === null ? null : { failed_at, problem: problem ?? '' }
