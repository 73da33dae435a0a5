import { describe, expect, it } from 'vitest'
import { inSeconds } from '#server/db/values.ts'
import { startApp, type TestApp } from '../../../test/support/app/app.ts'
import { claimBackup, insertSchedule, settleFailure, settleSuccess } from './store.ts'

const BACKUPS = '/api/organizations/@current/backups'
const ENV = { HEDGEROW_BACKUP_FOLDER: '/backups', HEDGEROW_BACKUP_INTERVAL: '2h' }
const DONE = { file: 'a.tar', bytes: 10, events: 3, duration_ms: 1500 }

const readGauges = async (api: TestApp): Promise<Record<string, number>> => {
  const { text } = await api.get('/metrics')
  const lines = [...text.matchAll(/^hedgerow_backup_(\w+) (\S+)$/gm)]
  return Object.fromEntries(lines.map(([, name = '', value]) => [name, Number(value)]))
}

describe('the state of backups', () => {
  it('is empty without a schedule', async () => {
    const api = await startApp()

    expect((await api.get(BACKUPS)).body).toEqual({
      schedule: null,
      last_backup: null,
      last_failure: null,
      is_running: false,
      is_late: false,
    })
    expect(await readGauges(api)).toMatchObject({ interval_seconds: 0 })
  })

  it('has the last backup, the last failure and the schedule', async () => {
    const api = await startApp(undefined, ENV)
    await insertSchedule(api.db)
    await claimBackup(api.db, 'a', 1)
    await settleFailure(api.db, 'a', 'The disk is full.')
    await api.db
      .updateTable('scheduled_backups')
      .set({ failed_at: inSeconds(-60) })
      .execute()
    await claimBackup(api.db, 'a', 1)
    expect((await api.get(BACKUPS)).body).toMatchObject({ is_running: true, last_backup: null })
    await settleSuccess(api.db, 'a', DONE)

    const { body } = await api.get(BACKUPS)

    expect(body).toEqual({
      schedule: { folder: '/backups', interval_seconds: 7200, keep: 7 },
      last_backup: { ...DONE, created_at: expect.any(String) },
      last_failure: { failed_at: expect.any(String), problem: 'The disk is full.' },
      is_running: false,
      is_late: false,
    })
    expect(await readGauges(api)).toEqual({
      interval_seconds: 7200,
      last_success_timestamp_seconds: Date.parse(body.last_backup.created_at) / 1000,
      last_size_bytes: 10,
      last_duration_seconds: 1.5,
      last_attempt_failed: 0,
    })
  })

  it('tells if the last backup is too old and its successor failed', async () => {
    const api = await startApp(undefined, ENV)
    await insertSchedule(api.db)
    await claimBackup(api.db, 'a', 1)
    await settleFailure(api.db, 'a', 'The disk is full.')
    const since = inSeconds(-5 * 3600)
    await api.db.updateTable('scheduled_backups').set({ since }).execute()

    expect((await api.get(BACKUPS)).body).toMatchObject({ is_late: true, last_backup: null })
    expect(await readGauges(api)).toMatchObject({ last_attempt_failed: 1 })
  })

  it('is for admins only', async () => {
    const api = await startApp(undefined, ENV)
    const member = await api.as({ level: 1 })

    expect((await member.get(BACKUPS)).status).toBe(403)
  })
})
