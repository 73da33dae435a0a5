import { describe, expect, it } from 'vitest'
import type { Db, Schema } from '#server/db/schema.ts'
import { inSeconds } from '#server/db/values.ts'
import { startStorage } from '../../../test/support/app/storage.ts'
import {
  claimBackup,
  claimLateNotice,
  findScheduledBackup,
  insertSchedule,
  releaseClaim,
  renewClaim,
  settleFailure,
  settleSuccess,
} from './store.ts'

const HOUR = 3600
const DONE = { file: 'a.tar', bytes: 10, events: 3, duration_ms: 5 }

async function start(): Promise<Db> {
  const { db } = await startStorage()
  await insertSchedule(db)
  return db
}

const change = (db: Db, columns: Partial<Schema['scheduled_backups']>) =>
  db.updateTable('scheduled_backups').set(columns).execute()

describe('scheduled backups', { tags: 'sql' }, () => {
  it('are claimed by one of several workers', async () => {
    const db = await start()

    const claims = await Promise.all(['a', 'b', 'c'].map((worker) => claimBackup(db, worker, HOUR)))

    expect(claims.filter(Boolean)).toHaveLength(1)
  })

  it('are due again after the interval', async () => {
    const db = await start()
    await claimBackup(db, 'a', HOUR)
    await settleSuccess(db, 'a', DONE)

    expect(await claimBackup(db, 'b', HOUR)).toBe(false)
    await change(db, { succeeded_at: inSeconds(-HOUR - 1) })
    expect(await claimBackup(db, 'b', HOUR)).toBe(true)
  })

  it('wait before they are tried again after a failure', async () => {
    const db = await start()
    await claimBackup(db, 'a', HOUR)
    await settleFailure(db, 'a', 'The disk is full.')

    expect(await claimBackup(db, 'b', HOUR)).toBe(false)
    await change(db, { failed_at: inSeconds(-16 * 60) })
    expect(await claimBackup(db, 'b', HOUR)).toBe(true)
  })

  it('are taken over from a worker that died', async () => {
    const db = await start()
    await claimBackup(db, 'a', HOUR)
    await change(db, { lease_until: inSeconds(-1) })

    expect(await claimBackup(db, 'b', HOUR)).toBe(true)

    expect(await renewClaim(db, 'a')).toBe(false)
    expect(await renewClaim(db, 'b')).toBe(true)
    await settleSuccess(db, 'a', DONE)
    expect(await findScheduledBackup(db)).toMatchObject({ holder: 'b', succeeded_at: null })
  })

  it('are free at once when their worker stops', async () => {
    const db = await start()
    await claimBackup(db, 'a', HOUR)

    await releaseClaim(db, 'a')

    expect(await claimBackup(db, 'b', HOUR)).toBe(true)
  })

  it('are late once they are older than two intervals, which is told once a day', async () => {
    const db = await start()
    await change(db, { succeeded_at: inSeconds(-2 * HOUR + 60) })
    expect(await claimLateNotice(db, HOUR)).toBeUndefined()
    await change(db, { succeeded_at: inSeconds(-2 * HOUR - 1) })

    const notices = await Promise.all([1, 2, 3].map(() => claimLateNotice(db, HOUR)))

    expect(notices.filter(Boolean)).toHaveLength(1)
    await change(db, { notified_at: inSeconds(-25 * HOUR) })
    expect(await claimLateNotice(db, HOUR)).toBeDefined()
  })

  it('are not late while one is being made', async () => {
    const db = await start()
    await change(db, { since: inSeconds(-9 * HOUR) })
    await claimBackup(db, 'a', HOUR)

    expect(await claimLateNotice(db, HOUR)).toBeUndefined()
    await releaseClaim(db, 'a')
    expect(await claimLateNotice(db, HOUR)).toBeDefined()
  })
})
