import { execSync } from 'node:child_process'
import { open, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { sql } from 'kysely'
import { describe, expect, it, onTestFinished } from 'vitest'
import { openEventsFile } from '#server/analytics/duckdb/file.ts'
import { findInstallation, type Installation } from '#server/analytics/installation.ts'
import { openEventStore } from '#server/analytics/open.ts'
import { SQLITE_FILE } from '#server/db/connect-sqlite.ts'
import { lockDataFolder } from '#server/db/folder-lock.ts'
import { connectStorage, openStorage, type StorageOptions } from '#server/db/open.ts'
import { runHedgerow, toEnv } from '../support/app/cli.ts'
import { storageOptions } from '../support/app/storage.ts'
import { fill, temporaryFolder } from '../support/data/backups.ts'
import { newEvent } from '../support/data/events.ts'

const doctor = (options: StorageOptions, env = {}, ...args: string[]) =>
  runHedgerow(['doctor', '--json', ...args], { HEDGEROW_PORT: '0', ...toEnv(options), ...env })

const findCheck = (json: { checks: { name: string; detail: string }[] }, name: string) =>
  json.checks.find((check) => check.name === name)?.detail ?? ''

/** Runs statements in the database of the events. Returns the rows of the last one. */
async function runOnEvents(options: StorageOptions, ...statements: string[]): Promise<unknown[]> {
  const { db, close } = await connectStorage(options)
  let rows: unknown[] = []
  if (options.databaseUrl) {
    for (const statement of statements) rows = (await sql.raw(statement).execute(db)).rows
  } else {
    const file = await openEventsFile(
      options.dataFolder,
      (await findInstallation(db)) as Installation,
    )
    for (const statement of statements) {
      rows = (await file.changes.runAndReadAll(statement)).getRowObjectsJson()
    }
    await file.close()
  }
  await close()
  return rows
}

/** Stores two persons, one of them with two IDs and an edit between its events. */
async function storeEvents(options: StorageOptions): Promise<void> {
  const { db, close } = await openStorage(options)
  const events = openEventStore({ ...options, db })
  const properties = { $anon_distinct_id: 'anonymous', $set: { plan: 'free' }, $browser: 'Safari' }
  const signIn = { event: '$identify', distinct_id: 'ann', properties: JSON.stringify(properties) }
  await events.append(1, [newEvent({ distinct_id: 'anonymous' }), newEvent(signIn)])
  const edit = { kind: 'update', distinctId: 'ann', set: { plan: 'team' }, unset: [] } as const
  await events.editPerson(1, edit)
  await events.append(1, [newEvent({ distinct_id: 'ben' }), newEvent({ distinct_id: 'ann' })])
  await events.count(1) // finds duplicates first, and then derives facts
  await events.close()
  await close()
}

const STATE = `select facts.seq, facts.person, event, facts.distinct_id, p0, p1, persons.properties::text as properties
  from facts join persons on number = person and persons.project_id = facts.project_id order by seq`

describe.each(['sqlite', 'postgres'] as const)('doctor --repair on %s', (database) => {
  it('derives facts and persons from the events again', async () => {
    const options = await storageOptions(database)
    await storeEvents(options)
    const before = await runOnEvents(options, STATE)
    expect(before).toHaveLength(4)
    await runOnEvents(
      options,
      "delete from person_ids where distinct_id = 'ann'",
      `update persons set properties = '{"plan":"wrong"}'`,
      "update facts set person = 99, p0 = 'wrong' where distinct_id = 'ben'",
    )

    const { code, json } = await doctor(options, {}, '--repair')

    expect(code).toBe(0)
    expect(json.repairs).toEqual([
      'Rebuilt the indexes of the database.',
      'Found no broken references.',
      'Derived the facts, persons and groups of 4 events again.',
    ])
    expect(await runOnEvents(options, STATE)).toEqual(before)
  })

  it('adds facts that are missing, and deletes those without an event', async () => {
    const options = await storageOptions(database)
    await storeEvents(options)
    await runOnEvents(options, "delete from facts where distinct_id = 'ann'")
    await runOnEvents(
      options,
      "update facts set uuid = gen_random_uuid() where distinct_id = 'ben'",
    )

    await doctor(options, {}, '--repair')

    const facts = 'select event from facts join events using (project_id, timestamp, uuid, event)'
    expect(await runOnEvents(options, facts)).toHaveLength(4)
    expect(await runOnEvents(options, 'select 1 as one from facts')).toHaveLength(4)
  })

  it('removes references to records that do not exist', async () => {
    const options = await storageOptions(database)
    const { db, close } = await connectStorage(options)
    await (database === 'postgres'
      ? sql`set session_replication_role = replica`
      : sql`pragma foreign_keys = off`
    ).execute(db)
    const at = '2026-01-01T00:00:00.000Z'
    await sql`insert into project_members (project_id, user_id, added_at) values (7, 1, ${at})`.execute(
      db,
    )
    await sql`insert into activity (project_id, scope, item_id, activity, user_id, detail, created_at)
      values (1, 'x', 1, 'x', 77, '{}', ${at})`.execute(db)
    await close()

    const { code, json } = await doctor(options, {}, '--repair')

    expect(code).toBe(0)
    expect(json.repairs).toContain('Removed broken references: activity 1, project_members 1.')
    const again = await connectStorage(options)
    onTestFinished(() => again.close())
    const activity = await again.db.selectFrom('activity').select('user_id').execute()
    expect(activity).toEqual([{ user_id: null }])
  })

  it('refuses to run beside a server', async () => {
    const options = await storageOptions(database)
    if (database === 'sqlite') onTestFinished(lockDataFolder(options.dataFolder))
    const storage = await openStorage(options)
    onTestFinished(() => storage.close())

    const { code, stderr } = await doctor(options, {}, '--repair')

    expect(code).toBe(1)
    expect(stderr).toMatch(/^hedgerow: (Another server or command uses|Servers or workers use) /)
  })
})

describe('doctor --repair', () => {
  it('rebuilds an index that does not match its table', async () => {
    const options = await storageOptions('sqlite')
    const file = new DatabaseSync(join(options.dataFolder, SQLITE_FILE), { defensive: false })
    file.exec(`insert into project_members (project_id, user_id, added_at) values (1, 1, '')`)
    const other = `replace(sql, '(user_id)', '(added_at)') where name = 'project_members_user'`
    file.exec(`pragma writable_schema = on; update sqlite_schema set sql = ${other}`)
    file.close()
    expect(findCheck((await doctor(options)).json, 'integrity')).toMatch(/doctor --repair$/)

    const { code, json } = await doctor(options, {}, '--repair')

    expect({ code, integrity: findCheck(json, 'integrity') }).toEqual({ code: 0, integrity: 'ok' })
  })

  it('names the commands that restore a damaged database, which work', async () => {
    const options = await storageOptions('sqlite')
    await fill(options)
    const folder = await temporaryFolder()
    const backup = join(folder, 'hedgerow-2026-01-01T00-00-00Z.tar')
    await runHedgerow(['backup', backup], toEnv(options))
    await overwriteMiddle(join(options.dataFolder, SQLITE_FILE))

    const { code, json } = await doctor(options, { HEDGEROW_BACKUP_FOLDER: folder }, '--repair')

    expect(code).toBe(1)
    const details = json.checks.map(({ detail }: { detail: string }) => detail).join('\n')
    const [, move = '', file = ''] = /: (mkdir .*) && hedgerow restore (\S+)$/m.exec(details) ?? []
    expect(file).toBe(backup)
    execSync(move)
    expect(await runHedgerow(['restore', file], toEnv(options))).toMatchObject({ code: 0 })
    expect(await doctor(options)).toMatchObject({ code: 0 })
  })
})

async function overwriteMiddle(path: string): Promise<void> {
  const { size } = await stat(path)
  const file = await open(path, 'r+')
  await file.write(Buffer.alloc(size / 2, 0xff), 0, Math.floor(size / 2), Math.floor(size / 4))
  await file.close()
}
