import { mkdir, readdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import { openStorage, type StorageOptions } from '#server/db/open.ts'
import { inSeconds } from '#server/db/values.ts'
import { findScheduledBackup, insertSchedule } from '#server/features/backups/store.ts'
import { createMailer } from '#server/mail/mailer.ts'
import { OWNER } from '../../../test/support/app/owner.ts'
import { storageOptions } from '../../../test/support/app/storage.ts'
import { temporaryFolder } from '../../../test/support/data/backups.ts'
import { startMailServer } from '../../../test/support/servers/mail-server.ts'
import { openArchive } from '../archive/read-archive.ts'
import { listBackups, toBackupName } from './files.ts'
import { createBackupScheduler } from './scheduler.ts'

async function start(folder: string, smtpUrl?: string, given?: StorageOptions) {
  const source = given ?? (await storageOptions())
  const storage = await openStorage(source)
  onTestFinished(() => storage.close())
  const mailer = createMailer(smtpUrl ? { smtpUrl, from: 'hedgerow@example.com' } : undefined)
  onTestFinished(() => mailer.close())
  const warnings: string[] = []
  const scheduler = createBackupScheduler({
    db: storage.db,
    source,
    schedule: { folder, intervalSeconds: 3600, keep: 2 },
    mailer,
    origin: () => 'https://hedgerow.example.com',
    warn: (message) => warnings.push(message),
  })
  return { db: storage.db, scheduler, warnings }
}

describe('the schedule of backups', () => {
  it('makes a backup, keeps the newest, and deletes what a killed one left behind', async () => {
    const folder = join(await temporaryFolder(), 'new')
    await mkdir(join(folder, 'unfinished-backup-x'), { recursive: true })
    const older = [3, 2, 1].map((day) => toBackupName(new Date(day * 86_400_000)))
    for (const name of older) await writeFile(join(folder, name), '')
    const { db, scheduler, warnings } = await start(folder)

    await scheduler.run()
    await scheduler.run()

    expect(warnings).toEqual([])
    const [newest = '', second] = await listBackups(folder)
    expect(second).toBe(join(folder, older[0] as string))
    expect(await readdir(folder)).toHaveLength(2)
    const archive = await openArchive(newest)
    await archive.close()
    expect(archive.manifest.includes_key).toBe(false)
    const row = await findScheduledBackup(db)
    expect(newest).toBe(join(folder, row?.file as string))
    expect(row).toMatchObject({ bytes: expect.any(Number), holder: null, problem: null })
  })

  it('ends a running backup when it stops, and leaves it to the next worker', async () => {
    const folder = await temporaryFolder()
    const { db, scheduler } = await start(folder)

    const running = scheduler.run()
    await expect.poll(async () => (await findScheduledBackup(db))?.holder).toBeTruthy()
    scheduler.stop()
    await running

    expect(await listBackups(folder)).toEqual([])
    expect(await findScheduledBackup(db)).toMatchObject({ holder: null, failed_at: null })
  })

  it('tells the admins when backups have failed for too long', async () => {
    const mails = await startMailServer()
    const folder = join(await temporaryFolder(), 'file')
    await writeFile(folder, '')
    const { db, scheduler, warnings } = await start(folder, mails.url)
    await insertSchedule(db)
    await db
      .updateTable('scheduled_backups')
      .set({ since: inSeconds(-7300) })
      .execute()

    await scheduler.run()
    await scheduler.run()

    const [mail] = await mails.waitFor(1)
    expect(mails.mails).toHaveLength(1)
    expect(mail?.to).toEqual([OWNER.email])
    expect(mail?.source).toContain('Subject: Hedgerow: the last backup is too old')
    expect(warnings[0]).toMatch(/^The scheduled backup failed: .*EEXIST/)
    expect((await findScheduledBackup(db))?.problem).toContain('EEXIST')
  })

  it('tells the process where the events are, and never repeats a password', async () => {
    const url = 'clickhouse://jo:hush@127.0.0.1:1/analytics'
    const clickHouse = { url, cluster: undefined, keysDays: 0, maxWaitingMb: 1024 }
    const source = { ...(await storageOptions('postgres')), clickHouse }
    const { db, scheduler, warnings } = await start(await temporaryFolder(), undefined, source)

    await scheduler.run()

    expect(warnings).toEqual([expect.stringContaining('ClickHouse at 127.0.0.1:1/analytics')])
    expect(warnings[0]).not.toContain('hush')
    expect((await findScheduledBackup(db))?.problem).toContain('ClickHouse')
  })
})
