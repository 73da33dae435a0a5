import type { Insertable } from 'kysely'
import { describe, expect, it, onTestFinished } from 'vitest'
import { storageOptions } from '../../test/support/app/storage.ts'
import { compileOnce } from './compile-once.ts'
import { openStorage } from './open.ts'
import type { Db, Schema } from './schema.ts'

async function start(database: string) {
  const storage = await openStorage(await storageOptions(database))
  onTestFinished(() => storage.close())
  return storage.db
}

const select = (db: Db) => db.selectFrom('organizations').select('name')

describe.each(['sqlite', 'postgres'])('a hot query on %s', (database) => {
  it('is compiled once and executed with new parameters', async () => {
    const db = await start(database)
    let compiled = 0
    const find = compileOnce((tx: Db, level: number, id: number) => {
      compiled++
      return tx.selectFrom('users').select('id').where('level', '=', level).where('id', '=', id)
    })

    expect(await find(db, 15, 1)).toEqual([{ id: 1 }])
    expect(await find(db, 15, 2)).toEqual([])
    expect(await find(db, 1, 1)).toEqual([])
    expect(await db.transaction().execute((tx) => find(tx, 15, 1))).toEqual([{ id: 1 }])
    expect(compiled).toBe(1)
  })

  it.each([
    [
      'uses its parameters in another order',
      (tx: Db, a: string, b: string) => select(tx).where('id', '=', b).where('name', '=', a),
    ],
    [
      'uses one twice',
      (tx: Db, a: string, b: string) =>
        select(tx).where('id', '=', a).where('name', '=', a).where('created_at', '=', b),
    ],
    ['leaves one out', (tx: Db, a: string) => select(tx).where('id', '=', a)],
    [
      'changes one',
      (tx: Db, a: string, b: string) => select(tx).where('id', '=', a).where('name', '=', `${b}!`),
    ],
    [
      'adds a parameter of its own',
      (tx: Db, a: string, b: string) =>
        select(tx).where('id', '=', a).where('name', '=', b).limit(1),
    ],
  ])('is refused if it %s', async (_, build) => {
    const db = await start(database)
    const find = compileOnce<[string, string], { name: string }>(build)

    await expect(find(db, 'a', 'b')).rejects.toThrow('Cannot reuse select')
  })

  it('inserts rows with different columns', async () => {
    const db = await start(database)
    const insert = compileOnce((tx: Db, row: Insertable<Schema['activity']>) =>
      tx.insertInto('activity').values(row).returning('id'),
    )
    const entry = { project_id: 1, scope: 'Dashboard', item_id: 1, activity: 'created' }
    const row = { ...entry, detail: '{}', created_at: '2026-01-01T00:00:00.000Z' }

    const ids = [await insert(db, row), await insert(db, { ...row, user_id: 1 })].flat()

    const rows = await db.selectFrom('activity').select(['id', 'user_id']).orderBy('id').execute()
    expect(rows).toEqual([
      { ...ids[0], user_id: null },
      { ...ids[1], user_id: 1 },
    ])
  })
})
