import type { Registry } from 'prom-client'
import type { Db } from '../db/schema.ts'
import type { BackupSchedule } from '../features/backups/schema.ts'
import { findScheduledBackup, hasFailed } from '../features/backups/store.ts'
import { type Collector, createGauges } from './collector.ts'

/** Adds the state of the scheduled backups. */
export function registerBackups(
  registry: Registry,
  db: Db,
  schedule: BackupSchedule | undefined,
): Collector {
  const gauge = createGauges(registry)
  const interval = gauge(
    'hedgerow_backup_interval_seconds',
    'Time between scheduled backups; 0 if this server schedules none.',
  )
  const succeeded = gauge(
    'hedgerow_backup_last_success_timestamp_seconds',
    'Time of the last scheduled backup; 0 if there is none.',
  )
  const size = gauge('hedgerow_backup_last_size_bytes', 'Size of the last scheduled backup.')
  const duration = gauge(
    'hedgerow_backup_last_duration_seconds',
    'Time that the last scheduled backup took.',
  )
  const failed = gauge(
    'hedgerow_backup_last_attempt_failed',
    '1 if the last attempt to make a scheduled backup failed, otherwise 0.',
  )
  return async () => {
    const row = await findScheduledBackup(db)
    interval.set(schedule?.intervalSeconds ?? 0)
    succeeded.set(row?.succeeded_at ? Date.parse(row.succeeded_at) / 1000 : 0)
    size.set(row?.bytes ?? 0)
    duration.set((row?.duration_ms ?? 0) / 1000)
    failed.set(row && hasFailed(row) ? 1 : 0)
  }
}
