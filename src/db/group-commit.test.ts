import { sql } from 'kysely'
import { describe, expect, it, onTestFinished } from 'vitest'
import { storageOptions } from '../../test/support/app/storage.ts'
import { connectSqlite } from './connect-sqlite.ts'
import { commitInGroup } from './group-commit.ts'
import type { Tx } from './schema.ts'

async function connect() {
  const { dataFolder } = await storageOptions('sqlite')
  const connection = connectSqlite(dataFolder)
  onTestFinished(() => connection.db.destroy())
  return connection
}

const rename = (name: string) => (tx: Tx) => tx.updateTable('projects').set({ name }).execute()

const insertText = (body: string) => (tx: Tx) =>
  tx
    .insertInto('texts')
    .values({ project_id: 1, body, last_modified_at: '2026-01-01T00:00:00.000Z' })
    .execute()

describe('a group commit', () => {
  it('commits waiting writes together', async () => {
    const { db, commitCount } = await connect()
    const before = commitCount()

    await Promise.all(['a', 'b', 'c'].map((body) => commitInGroup(db, insertText(body))))

    expect(commitCount()).toBe(before + 1)
    expect(await db.selectFrom('texts').select('body').orderBy('id').execute()).toEqual([
      { body: 'a' },
      { body: 'b' },
      { body: 'c' },
    ])
  })

  it('rolls back only the write that failed', async () => {
    const { db } = await connect()
    const failing = async (tx: Tx) => {
      await insertText('undone')(tx)
      throw new Error('no')
    }

    const outcomes = await Promise.allSettled([
      commitInGroup(db, insertText('first')),
      commitInGroup(db, failing),
      commitInGroup(db, insertText('last')),
    ])

    expect(outcomes.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled'])
    const texts = await db.selectFrom('texts').select('body').orderBy('id').execute()
    expect(texts).toEqual([{ body: 'first' }, { body: 'last' }])
  })

  it('resolves only after the commit', async () => {
    const { db, commitCount } = await connect()
    const before = commitCount()

    await commitInGroup(db, rename('Renamed'))

    expect(commitCount()).toBe(before + 1)
  })

  it('rejects every write if the commit fails', async () => {
    const { db } = await connect()
    const orphan = (tx: Tx) =>
      tx
        .insertInto('share_links')
        .values({ token: 'x', is_first: 1, project_id: 1, dashboard_id: 99, created_at: '' })
        .execute()

    const outcomes = await Promise.allSettled([
      commitInGroup(db, insertText('lost')),
      commitInGroup(db, (tx) => deferForeignKeys(tx).then(() => orphan(tx))),
    ])

    expect(outcomes.map(({ status }) => status)).toEqual(['rejected', 'rejected'])
    expect(await db.selectFrom('texts').select('body').execute()).toEqual([])
  })

  it('handles any number of writes', async () => {
    const { db } = await connect()
    const bodies = Array.from({ length: 200 }, (_, i) => String(i))

    await Promise.all(bodies.map((body) => commitInGroup(db, insertText(body))))

    const texts = await db.selectFrom('texts').select('body').orderBy('id').execute()
    expect(texts.map(({ body }) => body)).toEqual(bodies)
  })
})

/** Makes the commit check foreign keys. */
const deferForeignKeys = (tx: Tx) => sql`pragma defer_foreign_keys = on`.execute(tx)
