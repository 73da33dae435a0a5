import { statSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync, type StatementSync } from 'node:sqlite'
import { sql } from 'kysely'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { DASHBOARDS, startApp } from '../../test/support/app/app.ts'
import { storageOptions } from '../../test/support/app/storage.ts'
import { openInChild, runTogether } from '../../test/support/app/together.ts'
import { connectSqlite, SQLITE_FILE } from './connect-sqlite.ts'
import { openStorage } from './open.ts'

async function start() {
  const options = await storageOptions('sqlite')
  const storage = await openStorage(options)
  onTestFinished(() => storage.close())
  return { ...storage, folder: options.dataFolder }
}

/** Missing in @types/node. */
type Statement = StatementSync & { stat(name: 'run' | 'reprepare'): number }

/** Records every statement that is prepared from now on. */
function watchStatements(): Map<string, Statement> {
  const statements = new Map<string, Statement>()
  const prepare = DatabaseSync.prototype.prepare
  const spy = vi.spyOn(DatabaseSync.prototype, 'prepare')
  onTestFinished(() => spy.mockRestore())
  spy.mockImplementation(function (this: DatabaseSync, text: string) {
    const statement = prepare.call(this, text)
    statements.set(text, statement as Statement)
    return statement
  })
  return statements
}

/** Reads the version of project 1 and adds 1, repeatedly. */
const COUNT = `for (let time = 0; time < 200; time++) {
  await storage.db.transaction().execute(async (tx) => {
    const { version } = await tx.selectFrom('projects').select('version').executeTakeFirstOrThrow()
    await tx.updateTable('projects').set({ version: version + 1 }).execute()
  })
}
await storage.close()`

describe('SQLite', () => {
  it.each([
    ['an object', { a: 1 }, 'Object'],
    ['a list', [1], 'Array'],
    ['a date', new Date(), 'Date'],
    ['an object without a prototype', Object.create(null), 'object'],
  ])('refuses %s as a value', async (_, value, name) => {
    const { db } = await start()

    const query = sql`select ${value} as a`.execute(db)

    await expect(query).rejects.toThrow(`Cannot store a ${name}: convert it first.`)
  })

  it('stores null, texts and numbers unchanged', async () => {
    const { db } = await start()

    const { rows } = await sql`select ${null} as a, ${'é\n'} as b, ${1.5} as c`.execute(db)

    expect(rows).toEqual([{ a: null, b: 'é\n', c: 1.5 }])
  })

  it('prepares each statement only once', async () => {
    const statements = watchStatements()
    const api = await startApp()
    await api.post(DASHBOARDS, { use_template: 'DEFAULT_APP', tags: ['a'] })
    const fresh = { 'cache-control': 'no-cache' }

    for (let time = 0; time < 5; time++) {
      await api.get(`${DASHBOARDS}/1`, fresh)
      await api.get(DASHBOARDS, fresh)
      await api.get(`${DASHBOARDS}/1/collaborators`, fresh)
      await api.patch(`${DASHBOARDS}/1`, { name: `${time}` })
    }

    const joined = [...statements].filter(([text]) => / join .*\+\?/.test(text))
    expect(joined.length).toBeGreaterThan(3)
    for (const [text, statement] of joined) {
      expect({ text, reprepares: statement.stat('reprepare') }).toEqual({ text, reprepares: 0 })
    }
    expect(joined.some(([, statement]) => statement.stat('run') >= 5)).toBe(true)
  })

  it('loses no change when two processes write at once', async () => {
    const { db, folder } = await start()
    const version = () => db.selectFrom('projects').select('version').executeTakeFirstOrThrow()
    const { version: before } = await version()

    await runTogether(2, openInChild({ dataFolder: folder, databaseUrl: undefined }), COUNT)

    expect((await version()).version).toBe(before + 400)
  })

  it('creates the file for its owner only, and syncs every commit', async () => {
    const { db, folder } = await start()

    const { rows: journal } = await sql`pragma journal_mode`.execute(db)
    const { rows: synchronous } = await sql`pragma synchronous`.execute(db)
    const { rows: foreignKeys } = await sql`pragma foreign_keys`.execute(db)

    expect(journal).toEqual([{ journal_mode: 'wal' }])
    expect(synchronous).toEqual([{ synchronous: 2 }])
    expect(foreignKeys).toEqual([{ foreign_keys: 1 }])
    expect(statSync(join(folder, SQLITE_FILE)).mode & 0o777).toBe(0o600)
  })

  it('explains why a folder cannot be used', () => {
    expect(() => connectSqlite('/dev/null/hedgerow')).toThrow(
      /^Cannot use the data folder .* Set HEDGEROW_DATA to a folder this user can write\.$/,
    )
  })
})
