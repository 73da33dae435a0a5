import fs from 'node:fs'
import { syncBuiltinESMExports } from 'node:module'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { sql } from 'kysely'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { storageOptions } from '../../test/support/app/storage.ts'
import { connectSqlite } from './connect-sqlite.ts'

async function connect() {
  const { dataFolder } = await storageOptions('sqlite')
  const connection = connectSqlite(dataFolder)
  onTestFinished(() => connection.db.destroy())
  return connection
}

/** Replaces the disk: each flush waits until it is ended, with or without an error. */
function holdFlushes() {
  const flushes: ((error: NodeJS.ErrnoException | null) => void)[] = []
  const spy = vi.spyOn(fs, 'fdatasync').mockImplementation((_file, done) => {
    flushes.push(done)
  })
  syncBuiltinESMExports()
  onTestFinished(() => {
    spy.mockRestore()
    syncBuiltinESMExports()
  })
  return flushes
}

const rename = (db: Awaited<ReturnType<typeof connect>>['db'], name: string) =>
  db.transaction().execute((tx) => tx.updateTable('projects').set({ name }).execute())

describe('a transaction on SQLite', () => {
  it('ends when the disk has it, and is seen by nobody before', async () => {
    const { db, commitCount } = await connect()
    const before = commitCount()
    const flushes = holdFlushes()
    const order: string[] = []

    const written = rename(db, 'Renamed').then(() => order.push('written'))
    await vi.waitFor(() => expect(flushes).toHaveLength(1))
    const read = db
      .selectFrom('projects')
      .select('name')
      .execute()
      .then(([row]) => order.push(`read ${row?.name}`))
    await nextTurn()
    expect(order).toEqual([])
    expect(commitCount()).toBe(before)
    flushes[0]?.(null)
    await Promise.all([written, read])

    expect(order).toEqual(['written', 'read Renamed'])
    expect(commitCount()).toBe(before + 1)
  })

  it('fails if the disk does', async () => {
    const { db, commitCount } = await connect()
    const before = commitCount()
    const flushes = holdFlushes()

    const written = rename(db, 'Renamed')
    await vi.waitFor(() => expect(flushes).toHaveLength(1))
    flushes[0]?.(Object.assign(new Error('EIO: i/o error, fdatasync'), { code: 'EIO' }))

    await expect(written).rejects.toThrow('EIO')
    expect(commitCount()).toBeGreaterThan(before)
  })

  it('leaves a statement of its own to SQLite, which flushes it', async () => {
    const { db } = await connect()
    const flushes = holdFlushes()

    await db.updateTable('projects').set({ name: 'Renamed' }).execute()
    const { rows } = await sql`pragma synchronous`.execute(db)

    expect(flushes).toEqual([])
    expect(rows).toEqual([{ synchronous: 2 }])
  })

  it('flushes the next statement after a transaction that was rolled back', async () => {
    const { db } = await connect()

    const failed = db.transaction().execute(() => Promise.reject(new Error('no')))
    await expect(failed).rejects.toThrow('no')
    const { rows } = await sql`pragma synchronous`.execute(db)

    expect(rows).toEqual([{ synchronous: 2 }])
  })
})
