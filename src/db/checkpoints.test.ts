import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { sql } from 'kysely'
import { describe, expect, it, onTestFinished } from 'vitest'
import { storageOptions } from '../../test/support/app/storage.ts'
import { connectSqlite, SQLITE_FILE } from './connect-sqlite.ts'

/** More than the log may have. */
const PAGES = 4500
const ROW_BYTES = 4000 // nearly a page

async function connect() {
  const { dataFolder } = await storageOptions('sqlite')
  const { db } = connectSqlite(dataFolder)
  const other = new DatabaseSync(join(dataFolder, SQLITE_FILE))
  onTestFinished(async () => {
    other.close()
    await db.destroy()
  })
  await sql`create table filler (id integer primary key, bytes blob)`.execute(db)

  const write = (rows: number) =>
    db
      .transaction()
      .execute((tx) =>
        sql`insert into filler (bytes) with recursive numbers (n) as (select 1 union all select n + 1 from numbers where n < ${rows}) select randomblob(${ROW_BYTES}) from numbers`.execute(
          tx,
        ),
      )
  const readLog = () =>
    ({ ...other.prepare('pragma wal_checkpoint(noop)').get() }) as Record<string, number>
  return { db, other, write, readLog }
}

describe('the log of SQLite', () => {
  it('is copied into the database once it is long, and starts over with the next write', async () => {
    const { db, write, readLog } = await connect()

    await write(PAGES)
    await write(1)
    const first = readLog()
    await write(PAGES)
    await write(1)

    expect(first.log).toBeLessThan(100)
    expect(readLog().log).toBeLessThan(100)
    const { rows } = await sql<{ count: number }>`select count(*) as count from filler`.execute(db)
    expect(rows).toEqual([{ count: 2 * PAGES + 2 }])
  })

  it('stays while somebody reads an earlier state, and is copied afterwards', async () => {
    const { other, write, readLog } = await connect()
    other.exec('begin')
    const count = () => other.prepare('select count(*) as count from filler').get()?.count
    expect(count()).toBe(0)

    await write(PAGES)
    await write(1)
    expect(count()).toBe(0)
    other.exec('commit')
    expect(readLog().log).toBeGreaterThan(PAGES)
    expect(count()).toBe(PAGES + 1)

    await write(PAGES)
    await write(1)
    expect(readLog().log).toBeLessThan(100)
    expect(count()).toBe(2 * PAGES + 2)
  })
})
