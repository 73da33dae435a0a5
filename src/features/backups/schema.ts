import { type Static, Type } from 'typebox'

const time = Type.String({ format: 'date-time' })

const Schedule = Type.Object(
  {
    folder: Type.String(),
    interval_seconds: Type.Integer(),
    keep: Type.Integer({ description: 'The number of backups to keep.' }),
  },
  { description: 'null if this server makes no backups.' },
)

const LastBackup = Type.Object({
  file: Type.String(),
  created_at: time,
  bytes: Type.Integer(),
  events: Type.Integer(),
  duration_ms: Type.Integer(),
})

const LastFailure = Type.Object({ failed_at: time, problem: Type.String() })

export const ScheduledBackups = Type.Object(
  {
    schedule: Type.Union([Schedule, Type.Null()]),
    last_backup: Type.Union([LastBackup, Type.Null()]),
    last_failure: Type.Union([LastFailure, Type.Null()], {
      description: 'The last failed attempt, even if a later one succeeded.',
    }),
    is_running: Type.Boolean(),
    is_late: Type.Boolean({
      description: 'Whether the last backup is older than twice the interval.',
    }),
  },
  { title: 'ScheduledBackups' },
)
export type ScheduledBackups = Static<typeof ScheduledBackups>

/** The settings of scheduled backups. */
export interface BackupSchedule {
  readonly folder: string
  readonly intervalSeconds: number
  readonly keep: number
}
