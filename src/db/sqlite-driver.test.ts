import fs from 'node:fs'
import { syncBuiltinESMExports } from 'node:module'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { sql } from 'kysely'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { storageOptions } from '../../test/support/app/storage.ts'
import { connectSqlite, SQLITE_FILE } from './connect-sqlite.ts'

async function connect() {
  const { dataFolder } = await storageOptions('sqlite')
  const connection = connectSqlite(dataFolder)
  onTestFinished(() => connection.db.destroy())
  return { ...connection, dataFolder }
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

describe('a write outside a transaction on SQLite', () => {
  it('ends when the disk has it, and others wait for that', async () => {
    const { db } = await connect()
    const flushes = holdFlushes()
    const order: string[] = []

    const write = db.updateTable('projects').set({ name: 'Renamed' }).returning('name').execute()
    const written = write.then(() => order.push('written'))
    const read = db
      .selectFrom('projects')
      .select('name')
      .execute()
      .then(([row]) => order.push(`read ${row?.name}`))
    await vi.waitFor(() => expect(flushes).toHaveLength(1))
    await nextTurn()
    expect(order).toEqual([])
    flushes[0]?.(null)
    await Promise.all([written, read])

    expect(order).toEqual(['written', 'read Renamed'])
  })

  it('fails if the disk does', async () => {
    const { db } = await connect()
    const flushes = holdFlushes()

    const written = db.updateTable('projects').set({ name: 'Lost' }).execute()
    await vi.waitFor(() => expect(flushes).toHaveLength(1))
    flushes[0]?.(Object.assign(new Error('EIO: i/o error, fdatasync'), { code: 'EIO' }))

    await expect(written).rejects.toThrow('EIO')
  })

  it('does not wait for the disk if it changes nothing', async () => {
    const { db } = await connect()
    const flushes = holdFlushes()

    await db.updateTable('projects').set({ name: 'Renamed' }).where('id', '=', 99).execute()
    await db.deleteFrom('projects').where('id', '=', 99).returning('id').execute()

    expect(flushes).toEqual([])
  })
})

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

  it('leaves any other statement to SQLite, which flushes it', async () => {
    const { db } = await connect()
    const flushes = holdFlushes()

    await sql`create table other (id integer)`.execute(db)
    const { rows } = await sql`pragma synchronous`.execute(db)

    expect(flushes).toEqual([])
    expect(rows).toEqual([{ synchronous: 2 }])
  })

  it('leaves SQLite as it was when another process has the write lock', async () => {
    const { db, dataFolder } = await connect()
    const other = new DatabaseSync(join(dataFolder, SQLITE_FILE))
    onTestFinished(() => other.close())
    await sql`pragma busy_timeout = 0`.execute(db)
    other.exec('begin immediate')

    await expect(rename(db, 'Refused')).rejects.toThrow('locked')
    other.exec('rollback')
    const flushes = holdFlushes()
    const written = db.updateTable('projects').set({ name: 'Renamed' }).execute()
    await vi.waitFor(() => expect(flushes).toHaveLength(1))
    flushes[0]?.(null)

    await written
  })

  it('flushes the next statement after a transaction that was rolled back', async () => {
    const { db } = await connect()

    const failed = db.transaction().execute(() => Promise.reject(new Error('no')))
    await expect(failed).rejects.toThrow('no')
    const { rows } = await sql`pragma synchronous`.execute(db)

    expect(rows).toEqual([{ synchronous: 2 }])
  })
})
