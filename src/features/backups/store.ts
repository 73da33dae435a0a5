import type { Selectable } from 'kysely'
import { databaseTime } from '#server/db/dialect.ts'
import type { Db, Schema } from '#server/db/schema.ts'

export type ScheduledBackupRow = Selectable<Schema['scheduled_backups']>

/** Renewed while a backup is made: after this time its worker must have died. */
export const LEASE_S = 60
/** The pause after a failure. */
const RETRY_S = 15 * 60
/** A backup is late when the last one is older than this many intervals. */
const LATE_INTERVALS = 2
const NOTIFY_AGAIN_S = 24 * 3600

export const findScheduledBackup = (db: Db): Promise<ScheduledBackupRow | undefined> =>
  db.selectFrom('scheduled_backups').selectAll().executeTakeFirst()

/** Starts to measure the age of the last backup, if that has not happened. */
export async function insertSchedule(db: Db): Promise<void> {
  await db
    .insertInto('scheduled_backups')
    .values({ only_row: 1, since: databaseTime(db) })
    .onConflict((conflict) => conflict.doNothing())
    .execute()
}

/** Claims the next backup if it is due. Of several workers, one gets it. */
export async function claimBackup(
  db: Db,
  worker: string,
  intervalSeconds: number,
): Promise<boolean> {
  const claimed = await db
    .updateTable('scheduled_backups')
    .set({
      holder: worker,
      lease_until: databaseTime(db, LEASE_S),
      claimed_at: databaseTime(db),
    })
    .where((eb) => eb.or([eb('lease_until', 'is', null), eb('lease_until', '<', databaseTime(db))]))
    .where((eb) =>
      eb.or([
        eb('succeeded_at', 'is', null),
        eb('succeeded_at', '<=', databaseTime(db, -intervalSeconds)),
      ]),
    )
    .where((eb) =>
      eb.or([
        eb('failed_at', 'is', null),
        eb('failed_at', '<=', databaseTime(db, -Math.min(RETRY_S, intervalSeconds))),
      ]),
    )
    .returning('only_row')
    .executeTakeFirst()
  return claimed !== undefined
}

const heldBy = (db: Db, worker: string) =>
  db.updateTable('scheduled_backups').where('holder', '=', worker)

/** Returns false if the claim was lost. */
export async function renewClaim(db: Db, worker: string): Promise<boolean> {
  const renewed = await heldBy(db, worker)
    .set({ lease_until: databaseTime(db, LEASE_S) })
    .returning('only_row')
    .executeTakeFirst()
  return renewed !== undefined
}

const RELEASED = { holder: null, lease_until: null } as const

export async function releaseClaim(db: Db, worker: string): Promise<void> {
  await heldBy(db, worker).set(RELEASED).execute()
}

export interface FinishedBackup {
  readonly file: string
  readonly bytes: number
  readonly events: number
  readonly duration_ms: number
}

export async function settleSuccess(db: Db, worker: string, backup: FinishedBackup): Promise<void> {
  await heldBy(db, worker)
    .set((eb) => ({
      ...RELEASED,
      ...backup,
      succeeded_at: eb.ref('claimed_at'),
      notified_at: null,
    }))
    .execute()
}

export async function settleFailure(db: Db, worker: string, problem: string): Promise<void> {
  await heldBy(db, worker)
    .set({ ...RELEASED, failed_at: databaseTime(db), problem })
    .execute()
}

/** Returns the state if admins are to be told now that the last backup is too old. One caller a day gets it. */
export function claimLateNotice(
  db: Db,
  intervalSeconds: number,
): Promise<ScheduledBackupRow | undefined> {
  return db
    .updateTable('scheduled_backups')
    .set({ notified_at: databaseTime(db) })
    .where((eb) => eb.or([eb('lease_until', 'is', null), eb('lease_until', '<', databaseTime(db))]))
    .where(
      (eb) => eb.fn.coalesce('succeeded_at', 'since'),
      '<',
      databaseTime(db, -LATE_INTERVALS * intervalSeconds),
    )
    .where((eb) =>
      eb.or([
        eb('notified_at', 'is', null),
        eb('notified_at', '<', databaseTime(db, -NOTIFY_AGAIN_S)),
      ]),
    )
    .returningAll()
    .executeTakeFirst()
}

/** Tells whether the last backup is older than it may be. */
export function isLate(
  { succeeded_at, since }: ScheduledBackupRow,
  intervalSeconds: number,
  now: number,
): boolean {
  return Date.parse(succeeded_at ?? since) < now - LATE_INTERVALS * intervalSeconds * 1000
}

export const hasFailed = ({ failed_at, claimed_at }: ScheduledBackupRow): boolean =>
  failed_at !== null && failed_at >= (claimed_at ?? '')
