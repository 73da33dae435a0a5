import { basename, join } from 'node:path'
import type { StorageOptions } from '#server/db/open.ts'
import type { Db } from '#server/db/schema.ts'
import { uuid } from '#server/db/values.ts'
import { listAdminEmails } from '#server/features/accounts/members/store.ts'
import { toLateMail } from '#server/features/backups/late-mail.ts'
import type { BackupSchedule } from '#server/features/backups/schema.ts'
import {
  claimBackup,
  claimLateNotice,
  insertSchedule,
  LEASE_S,
  releaseClaim,
  renewClaim,
  settleFailure,
  settleSuccess,
} from '#server/features/backups/store.ts'
import type { Mailer } from '#server/mail/mailer.ts'
import { runBackupProcess } from './backup-process.ts'
import { createBackupFolder, deleteOldBackups, toBackupName } from './files.ts'

export interface SchedulerOptions {
  readonly db: Db
  readonly source: StorageOptions
  readonly schedule: BackupSchedule
  readonly mailer: Mailer
  /** Returns the address of the server, for mails. */
  readonly origin: () => string | undefined
  readonly warn: (message: string) => void
}

/** Any number of schedulers may share a database: one of them makes each backup. */
export interface BackupScheduler {
  /** Makes a backup if it is due, and tells admins if the last one is too old. */
  run(): Promise<void>
  /** Ends a running backup. */
  stop(): void
}

/** A slower backup is ended: something must be wrong. */
const MIN_TIMEOUT_S = 6 * 3600

export function createBackupScheduler(options: SchedulerOptions): BackupScheduler {
  const worker = uuid()
  const stopping = new AbortController()
  return {
    async run() {
      if (stopping.signal.aborted) return
      const { db, schedule } = options
      await insertSchedule(db)
      if (await claimBackup(db, worker, schedule.intervalSeconds)) {
        await backUp(options, worker, stopping.signal)
      }
      if (!stopping.signal.aborted) await notifyIfLate(options)
    },
    stop: () => stopping.abort(),
  }
}

async function backUp(
  { db, source, schedule, warn }: SchedulerOptions,
  worker: string,
  stopping: AbortSignal,
): Promise<void> {
  const startedAt = performance.now()
  const timeout = AbortSignal.timeout(1000 * Math.max(schedule.intervalSeconds, MIN_TIMEOUT_S))
  const lost = new AbortController()
  const renewal = setInterval(
    async () => {
      // a failed renewal is tried again, and the claim is lost only if all fail until the lease ends
      const isHeld = await renewClaim(db, worker).catch(() => true)
      if (!isHeld) lost.abort()
    },
    (LEASE_S * 1000) / 4,
  )
  try {
    await createBackupFolder(schedule.folder)
    const path = join(schedule.folder, toBackupName(new Date()))
    const signal = AbortSignal.any([stopping, timeout, lost.signal])
    const { bytes, events } = await runBackupProcess({ ...source, path }, signal)
    const duration_ms = Math.round(performance.now() - startedAt)
    await settleSuccess(db, worker, { file: basename(path), bytes, events, duration_ms })
    await deleteOldBackups(schedule.folder, schedule.keep).catch((error: Error) =>
      warn(`Old backups could not be deleted: ${error.message}`),
    )
  } catch (error) {
    if (stopping.aborted) return await releaseClaim(db, worker)
    const problem = timeout.aborted ? 'It took too long and was ended.' : (error as Error).message
    warn(`The scheduled backup failed: ${problem}`)
    await settleFailure(db, worker, problem)
  } finally {
    clearInterval(renewal)
  }
}

async function notifyIfLate({
  db,
  schedule,
  mailer,
  origin,
  warn,
}: SchedulerOptions): Promise<void> {
  const row = await claimLateNotice(db, schedule.intervalSeconds)
  if (!row) return
  const mail = toLateMail(row, origin())
  warn(mail.text.replaceAll('\n\n', ' ').trim())
  if (!mailer.isConfigured) return
  for (const email of await listAdminEmails(db)) {
    const problem = await mailer.send(uuid(), email, mail)
    if (problem) warn(`Could not tell ${email} that the last backup is too old: ${problem}`)
  }
}
