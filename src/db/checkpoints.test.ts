import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { sql } from 'kysely'
import { describe, expect, it, onTestFinished } from 'vitest'
import { storageOptions } from '../../test/support/app/storage.ts'
import { until } from '../../test/support/until.ts'
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
  /** Writes a row at a time until the log has been emptied. */
  const writeUntilEmptied = () =>
    until(async () => {
      await write(1)
      return Number(readLog().log) < 100
    })
  return { db, other, write, readLog, writeUntilEmptied }
}

describe('the log of SQLite', () => {
  it('is copied into the database once it is long, while others write, and starts over', async () => {
    const { db, write, writeUntilEmptied } = await connect()

    await write(PAGES)
    await writeUntilEmptied()
    await write(PAGES)
    await writeUntilEmptied()

    const { rows } = await sql<{ count: number }>`
      select count(*) as count, max(id) as last from filler`.execute(db)
    expect(rows[0]?.count).toBeGreaterThanOrEqual(2 * PAGES + 2)
    expect(rows).toEqual([{ count: rows[0]?.count, last: rows[0]?.count }])
  })

  it('is copied without further writes, so that the next starts over', async () => {
    const { write, readLog } = await connect()

    await write(PAGES)
    await until(() => readLog().checkpointed === readLog().log)
    await write(1)

    expect(readLog().log).toBeLessThan(100)
  })

  it('stays while somebody reads an earlier state, and is copied afterwards', async () => {
    const { other, write, readLog, writeUntilEmptied } = await connect()
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
    await writeUntilEmptied()
    expect(count()).toBeGreaterThan(2 * PAGES + 1)
  })

  it('is whole if the database is closed while it is copied', async () => {
    const { db, other, write } = await connect()

    await write(PAGES)
    await db.destroy()

    expect(other.prepare('select count(*) as count from filler').get()).toEqual({ count: PAGES })
    expect(other.prepare('pragma integrity_check').get()).toEqual({ integrity_check: 'ok' })
  })
})
