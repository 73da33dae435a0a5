import { mkdtemp, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, onTestFinished } from 'vitest'
import { openEventStore } from '#server/analytics/open.ts'
import type { Manifest } from '#server/backup/archive/manifest.ts'
import { openArchive, readWhole } from '#server/backup/archive/read-archive.ts'
import { createArchive } from '#server/backup/archive/write-archive.ts'
import { openStorage, type StorageOptions } from '#server/db/open.ts'
import type { Db } from '#server/db/schema.ts'
import { now } from '#server/db/values.ts'
import { openSecrets } from '#server/secrets/open.ts'
import { runHedgerow, toEnv } from '../app/cli.ts'
import { fastFolder } from '../app/fast-folder.ts'
import { emptyStorage } from '../app/storage.ts'
import { newEvent } from './events.ts'

/** Returns a new folder; it is deleted when the test ends. */
export async function temporaryFolder(): Promise<string> {
  const folder = await mkdtemp(join(fastFolder(), 'hedgerow-test-'))
  onTestFinished(() => rm(folder, { recursive: true, force: true }))
  return folder
}

/** Reads the rows of a table of the database from a backup. */
export async function readRows(path: string, table: string): Promise<unknown[]> {
  const archive = await openArchive(path)
  const parts = archive.members.filter(({ name }) => name.startsWith(`metadata/${table}/`))
  const texts = await Promise.all(parts.map(readWhole))
  await archive.close()
  return texts
    .flatMap((text) => text.toString().trimEnd().split('\n'))
    .map((line) => JSON.parse(line))
}

/** Stores three events, one of them twice, a key, a second factor of the owner, and a frozen link with a guest. */
export async function fill(options: StorageOptions): Promise<void> {
  const { db, close } = await openStorage(options)
  const secrets = await openSecrets({ ...options, db, secretKey: undefined })
  await db
    .insertInto('second_factors')
    .values({ user_id: 1, secret: secrets.encryptText('secret'), confirmed_at: now() })
    .execute()
  await db.insertInto('recovery_codes').values({ user_id: 1, hash: 'sha256$x' }).execute()
  await addLink(db)
  const events = openEventStore({ ...options, db })
  const first = newEvent()
  await events.append(1, [first, newEvent({ distinct_id: 'ben' }), first])
  await events.append(1, [newEvent({ properties: JSON.stringify({ long: 'x'.repeat(20_000) }) })])
  await events.close()
  await close()
}

/** Adds a frozen link to an empty dashboard for a guest, who has opened it and asked for another code. */
async function addLink(db: Db): Promise<void> {
  const at = now()
  const names = { name: 'Sales', name_key: 'sales', search_key: 'sales', description: '' }
  const documents = { filters: '{}', variables: '{}', tags: '[]', use_template: '' }
  const flags = { pinned: 0, deleted: 0, is_shared: 0, restriction_level: 21 } as const
  const { id: dashboard_id } = await db
    .insertInto('dashboards')
    .values({
      ...{ ...names, ...documents, ...flags, project_id: 1, created_at: at },
      creation_mode: 'default',
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  const { id: link_id } = await db
    .insertInto('share_links')
    .values({
      ...{ project_id: 1, dashboard_id, is_first: 0, token: 'x'.repeat(30), created_at: at },
      ...{ audience: 'people', guest_key: 'secret', snapshot_at: at },
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  const address = 'ada@example.com'
  const shown = { position: 0, content: '{"name":"Sales"}', results: '[1]' }
  await db.insertInto('link_guests').values({ link_id, email: address, created_at: at }).execute()
  await db
    .insertInto('link_guest_views')
    .values({ link_id, address, day: at.slice(0, 10), views: 2 })
    .execute()
  await db
    .insertInto('link_snapshots')
    .values({ link_id, ...shown })
    .execute()
  await db
    .insertInto('link_codes')
    .values({ link_id, address, hash: 'x', expires_at: at })
    .execute()
}

/** Backs up and returns the path of the archive. */
export async function backUp(options: StorageOptions, ...args: string[]): Promise<string> {
  const path = join(await temporaryFolder(), 'a.tar')
  const { code, stderr } = await runHedgerow(['backup', path, ...args], toEnv(options))
  expect(code, stderr).toBe(0)
  return path
}

export const restore = (path: string, options: StorageOptions, ...args: string[]) =>
  runHedgerow(['restore', path, '--json', ...args], toEnv(options))

/** Restores into new storage. */
export async function restoreTo(
  database: 'sqlite' | 'postgres',
  path: string,
): Promise<StorageOptions> {
  const options = await emptyStorage(database)
  const { code, stderr } = await restore(path, options)
  expect(code, stderr).toBe(0)
  return options
}

/** The parts of a manifest that depend only on what was backed up. Parquet files differ between databases. */
export async function readContent(path: string) {
  const { manifest, close } = await openArchive(path)
  await close()
  const { migrations, tables, event_tables, key_ids, files } = manifest
  // SQLite counts the fixed IDs of built-in apps, PostgreSQL does not; those of other apps begin at 1000
  const { plugins: _, ...last_ids } = manifest.last_ids
  const members = manifest.members.filter(({ name }) => !name.startsWith('events/'))
  return { migrations, tables, event_tables, last_ids, key_ids, files, members }
}

export interface EditableMember {
  name: string
  content: Buffer
  rows: number | undefined
}

/** Copies an archive after an edit, with checksums that match, as another program could write it. */
export async function editArchive(
  from: string,
  edit: (members: EditableMember[], manifest: Manifest) => Partial<Manifest> | void | Promise<void>,
): Promise<string> {
  const to = join(await temporaryFolder(), 'edited.tar')
  const { manifest, members, close } = await openArchive(from)
  const edited: EditableMember[] = []
  for (const member of members) {
    edited.push({ name: member.name, content: await readWhole(member), rows: member.rows })
  }
  await close()
  const change = await edit(edited, manifest)
  const archive = await createArchive(to, new Date(0))
  for (const { name, content, rows } of edited) await archive.add(name, content, rows)
  const { members: _, ...fields } = manifest
  await archive.finish({ ...fields, ...change })
  await archive.close()
  return to
}

/** Copies an archive with other values in its manifest and more members. */
export const rewriteArchive = (
  from: string,
  change: Partial<Manifest>,
  added: Record<string, string> = {},
): Promise<string> =>
  editArchive(from, (members) => {
    for (const [name, text] of Object.entries(added)) {
      members.push({ name, content: Buffer.from(text), rows: 1 })
    }
    return change
  })
