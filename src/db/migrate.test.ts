import { describe, expect, it, onTestFinished } from 'vitest'
import { emptyStorage } from '../../test/support/app/storage.ts'
import { connectInChild, runTogether } from '../../test/support/app/together.ts'
import { hasTable } from './dialect.ts'
import { MIGRATIONS, type Migration, migrate, pendingMigrations } from './migrate.ts'
import { connectStorage, openStorage, type Storage, type StorageOptions } from './open.ts'

async function connect(options: StorageOptions): Promise<Storage> {
  const storage = await connectStorage(options)
  onTestFinished(() => storage.close())
  return storage
}

const NAMES = MIGRATIONS.map(({ name }) => name)

const MIGRATE = 'result = await migrate(storage.db); await storage.close()'

const later: Migration = { name: '9999-later', up: ({ id }) => [`create table later (id ${id})`] }

describe.each(['sqlite', 'postgres'] as const)('migrations on %s', (database) => {
  it('run once and return their names', async () => {
    const { db } = await connect(await emptyStorage(database))

    expect(await migrate(db)).toEqual(NAMES)
    expect(await migrate(db)).toEqual([])
    expect(await pendingMigrations(db)).toEqual([])
    expect(await hasTable(db, 'projects')).toBe(true)
  })

  it('run once when five servers start at the same time', async () => {
    const options = await emptyStorage(database)

    const ran = await runTogether(5, connectInChild(options), MIGRATE)

    expect(ran.flat()).toEqual(NAMES)
    const { db } = await connect(options)
    expect(await db.selectFrom('access_state').selectAll().execute()).toHaveLength(1)
  })

  it('run only if they are new', async () => {
    const { db } = await connect(await emptyStorage(database))
    await migrate(db)

    expect(await migrate(db, [...MIGRATIONS, later])).toEqual(['9999-later'])
    expect(await hasTable(db, 'later')).toBe(true)
  })

  it('refuse a database of a newer version and leave it unchanged', async () => {
    const options = await emptyStorage(database)
    const { db } = await connect(options)
    await migrate(db, [...MIGRATIONS, later])

    const open = openStorage(options)

    await expect(open).rejects.toThrow(
      'The database has a newer schema (9999-later) than this version of Hedgerow knows.',
    )
    expect(await hasTable(db, 'later')).toBe(true)
  })

  it('are rolled back if one fails', async () => {
    const { db } = await connect(await emptyStorage(database))
    const broken: Migration = {
      name: '0002-broken',
      up: ({ id }) => [`create table half (id ${id})`, 'create nonsense'],
    }

    await expect(migrate(db, [later, broken])).rejects.toThrow('nonsense')

    expect(await hasTable(db, 'half')).toBe(false)
    expect(await hasTable(db, 'later')).toBe(false)
    expect(await migrate(db)).toEqual(NAMES)
  })
})

it('gives migrations unique, sorted names', () => {
  expect(NAMES).toEqual([...new Set(NAMES)].toSorted())
})
