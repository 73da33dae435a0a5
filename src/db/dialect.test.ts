import { sql } from 'kysely'
import { describe, expect, it, onTestFinished } from 'vitest'
import { storageOptions } from '../../test/support/app/storage.ts'
import { columnTypes, hasTable, isPostgres, jsonArrayHasAny } from './dialect.ts'
import { openStorage } from './open.ts'

async function start(database: string) {
  const storage = await openStorage(await storageOptions(database))
  onTestFinished(() => storage.close())
  return storage.db
}

describe.each(['sqlite', 'postgres'])('on %s', (database) => {
  it('detects the database', async () => {
    const db = await start(database)

    expect(isPostgres(db)).toBe(database === 'postgres')
    expect(await db.transaction().execute(async (tx) => isPostgres(tx))).toBe(isPostgres(db))
    expect(columnTypes(db).int).toBe(database === 'postgres' ? 'bigint' : 'integer')
  })

  it('detects tables', async () => {
    const db = await start(database)

    expect(await hasTable(db, 'projects')).toBe(true)
    expect(await hasTable(db, 'nothing')).toBe(false)
    expect(await hasTable(db, "'")).toBe(false)
  })

  it('finds values in a JSON array', async () => {
    const db = await start(database)
    const has = async (tags: string[], values: string[]) => {
      const column = sql<string>`${JSON.stringify(tags)}`
      const query = db.selectFrom('access_state').select('id')
      const rows = await query.where(jsonArrayHasAny(db, column, values)).execute()
      return rows.length === 1
    }

    expect(await has(['a', 'b'], ['b'])).toBe(true)
    expect(await has(['a', 'b'], ['x', 'a'])).toBe(true)
    expect(await has(['a', 'b'], ['x'])).toBe(false)
    expect(await has(['ab'], ['a'])).toBe(false)
    expect(await has(['A'], ['a'])).toBe(false)
    expect(await has([], ['a'])).toBe(false)
    expect(await has(['1', 'null', '%', '"', "'", '😀'], ['😀'])).toBe(true)
    expect(await has(['"'], ['"'])).toBe(true)
    expect(await has(["'"], ["'"])).toBe(true)
  })

  it('sorts texts by their bytes', async () => {
    const db = await start(database)
    const ids = ['a', 'B', '_', 'é', 'z', '😀']
    for (const id of ids) {
      await db.insertInto('organizations').values({ id, name: id, created_at: '' }).execute()
    }

    const rows = await db
      .selectFrom('organizations')
      .select('name')
      .where('id', 'in', ids)
      .orderBy('name')
      .execute()

    expect(rows.map(({ name }) => name)).toEqual(['B', '_', 'a', 'z', 'é', '😀'])
  })

  it('reads 53-bit IDs as numbers', async () => {
    const db = await start(database)

    const query = db.selectFrom('projects').select('id').where('id', '=', Number.MAX_SAFE_INTEGER)

    expect(await query.execute()).toEqual([])
    const { id } = await db.selectFrom('projects').select('id').executeTakeFirstOrThrow()
    expect(id).toBe(1)
  })
})
