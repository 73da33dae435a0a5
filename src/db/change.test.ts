import { describe, expect, it, onTestFinished } from 'vitest'
import { storageOptions } from '../../test/support/app/storage.ts'
import { changeProject } from './change.ts'
import { openStorage } from './open.ts'
import type { Db, Tx } from './schema.ts'

async function start(database: string) {
  const storage = await openStorage(await storageOptions(database))
  onTestFinished(() => storage.close())
  return storage.db
}

const rename = (name: string) => (tx: Tx) => tx.updateTable('projects').set({ name }).execute()
const project = (db: Db) => db.selectFrom('projects').selectAll().executeTakeFirstOrThrow()

describe.each(['sqlite', 'postgres'])('changes on %s', (database) => {
  it('run one after another, so reads inside a change stay valid', async () => {
    const db = await start(database)
    const { live_dashboards: before } = await project(db)
    const addOne = async (tx: Tx) => {
      const { live_dashboards } = await project(tx)
      await new Promise(setImmediate)
      await tx
        .updateTable('projects')
        .set({ live_dashboards: live_dashboards + 1 })
        .execute()
    }

    await Promise.all(Array.from({ length: 100 }, () => changeProject(db, 1, addOne)))

    expect((await project(db)).live_dashboards).toBe(before + 100)
  })

  it('roll back only themselves on failure', async () => {
    const db = await start(database)
    const { version } = await project(db)
    const fail = async (tx: Tx) => {
      await rename('bad')(tx)
      throw new Error('no')
    }

    const outcomes = await Promise.allSettled([
      changeProject(db, 1, rename('first')),
      changeProject(db, 1, fail),
      changeProject(db, 1, (tx) => tx.deleteFrom('projects').execute()), // refused by foreign keys
      changeProject(db, 1, (tx) => tx.updateTable('users').set({ level: 1 }).execute()),
    ])

    expect(outcomes.map(({ status }) => status)).toEqual([
      ...['fulfilled', 'rejected', 'rejected', 'fulfilled'],
    ])
    expect(await project(db)).toMatchObject({ name: 'first', version: version + 2 })
    expect(await db.selectFrom('users').select('level').execute()).toEqual([{ level: 1 }])
  })

  it('resolve after the commit', async () => {
    const db = await start(database)

    const names = await Promise.all(
      ['a', 'b', 'c'].map(async (name) => {
        await changeProject(db, 1, rename(name))
        return (await project(db)).name
      }),
    )

    expect(names).not.toContain('Default project')
  })

  it('return the result of the change', async () => {
    const db = await start(database)

    const made = await Promise.all(
      [1, 2, 3].map((value) => changeProject(db, 1, async () => value)),
    )

    expect(made).toEqual([1, 2, 3])
  })
})
