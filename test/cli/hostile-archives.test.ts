import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { loadDuckDb } from '#server/analytics/duckdb/load.ts'
import type { Manifest } from '#server/backup/archive/manifest.ts'
import { storageOptions } from '../support/app/storage.ts'
import {
  backUp,
  type EditableMember,
  editArchive,
  fill,
  readContent,
  restore,
  temporaryFolder,
} from '../support/data/backups.ts'

type Edit = Parameters<typeof editArchive>[1]

const find = (members: readonly EditableMember[], start: string): EditableMember =>
  members.find(({ name }) => name.startsWith(start)) as EditableMember

/** Replaces the content of the first member of a table. */
const withContent =
  (start: string, change: (content: Buffer) => Buffer | string | Promise<Buffer>): Edit =>
  async (members) => {
    const member = find(members, start)
    member.content = Buffer.from(await change(member.content))
  }

/** Changes the first row of a table. */
const withRow = (table: string, change: object): Edit =>
  withContent(`metadata/${table}/`, (content) => {
    const [first = '', ...others] = content.toString().split('\n')
    return [JSON.stringify({ ...JSON.parse(first), ...change }), ...others].join('\n')
  })

const withManifest =
  (change: (manifest: Manifest) => object): Edit =>
  (_, manifest) =>
    change(manifest) as Partial<Manifest>

/** Replaces the events with those that DuckDB writes. */
const withEvents = (columns: string, rows = 3): Edit =>
  withContent('events/events/', async () => {
    const { DuckDBInstance } = await loadDuckDb()
    const instance = await DuckDBInstance.create(':memory:')
    const connection = await instance.connect()
    const path = join(await temporaryFolder(), 'events.parquet')
    await connection.run(
      `copy (select ${columns} from range(${rows})) to '${path}' (format parquet)`,
    )
    connection.closeSync()
    instance.closeSync()
    return readFile(path)
  })

const EVENT = `1::bigint as project_id, 1::bigint as seq, gen_random_uuid() as uuid, 'visit' as event, 'nobody' as distinct_id,
  now() as timestamp, '{}' as properties, null::varchar as whole, now() as created_at`

const overwrite = (content: Buffer, from: number, to: number): Buffer => {
  const bytes = Buffer.from(content)
  for (let at = from; at < to; at += 7) bytes[at] = 0xff
  return bytes
}

const CANNOT_RESTORE =
  /^hedgerow: Cannot restore \S+ (\w+ )?of the backup: .+\. Nothing was changed\.\n$/
const DAMAGED = /^hedgerow: The backup \S+ is damaged or incomplete \(.+\)\. Use another one\.\n$/
const WRONG_MANIFEST = /^hedgerow: Cannot use the backup \S+: its manifest is incomplete\.\n$/

const ATTACKS: readonly (readonly [string, RegExp, Edit])[] = [
  // rows
  ['a line that is not JSON', CANNOT_RESTORE, withContent('metadata/users/', () => '{\n')],
  ['a row that is null', CANNOT_RESTORE, withContent('metadata/users/', () => 'null\n')],
  ['a row that is a list', CANNOT_RESTORE, withContent('metadata/users/', () => '[1]\n')],
  ['a row without columns', CANNOT_RESTORE, withContent('metadata/users/', () => '{}\n')],
  ['a table without lines', CANNOT_RESTORE, withContent('metadata/users/', () => '')],
  [
    'bytes that are not UTF-8',
    CANNOT_RESTORE,
    withContent('metadata/users/', (text) => Buffer.concat([Buffer.of(0xff), text])),
  ],
  ['an unknown column', CANNOT_RESTORE, withRow('users', { evil: 1 })],
  [
    'SQL as a column',
    CANNOT_RESTORE,
    withRow('users', { 'id") values (1); drop table users; --': 1 }),
  ],
  [
    'a column named __proto__',
    CANNOT_RESTORE,
    withContent('metadata/users/', (text) =>
      text.toString().replace('{', '{"__proto__":{"level":15},'),
    ),
  ],
  ['an object as a value', CANNOT_RESTORE, withRow('users', { email: { toString: 1 } })],
  ['a list as a value', CANNOT_RESTORE, withRow('users', { email: ['a', 'b'] })],
  ['true as a value', CANNOT_RESTORE, withRow('users', { is_email_verified: true })],
  ['a text as a number', CANNOT_RESTORE, withRow('users', { level: 'x' })],
  ['a fraction as a count', CANNOT_RESTORE, withRow('projects', { version: 1.5 })],
  ['a number that is too large', CANNOT_RESTORE, withRow('projects', { version: 1e300 })],
  ['null where a value is needed', CANNOT_RESTORE, withRow('users', { email: null })],
  ['a level that does not exist', CANNOT_RESTORE, withRow('users', { level: 99 })],
  [
    'a row of an organization that is missing',
    CANNOT_RESTORE,
    withRow('projects', { organization_id: 'other' }),
  ],
  [
    'a key whose proof is not its own',
    /^hedgerow: The secrets in the backup were encrypted with key \S+, which is /,
    withRow('secret_keys', { proof: 5 }),
  ],
  ['a proof that is null', CANNOT_RESTORE, withContent('metadata/secret_keys/', () => 'null\n')],
  // members
  [
    'a file without its attachment',
    CANNOT_RESTORE,
    (members) => {
      members.push({ name: 'files/none/000000', content: Buffer.of(1), rows: undefined })
      return { files: 1 }
    },
  ],
  [
    'the same member twice',
    DAMAGED,
    (members, { tables }) => {
      members.push({ ...find(members, 'metadata/users/') })
      return { tables: { ...tables, users: (tables.users ?? 0) * 2 } }
    },
  ],
  [
    'a file that is too large',
    DAMAGED,
    (members) => {
      members.push({
        name: 'files/none/000000',
        content: Buffer.alloc(3 * 1024 ** 2),
        rows: undefined,
      })
      return { files: 1 }
    },
  ],
  [
    'a key that is none',
    /^hedgerow: The backup must contain 32 bytes in base64 or hex.*\n$/,
    withContent('secret.key', () => 'x'),
  ],
  ['a key that is too large', DAMAGED, withContent('secret.key', () => 'x'.repeat(70_000))],
  // manifest
  ['a key that is not announced', DAMAGED, withManifest(() => ({ includes_key: false }))],
  [
    'a missing migration',
    /^hedgerow: The backup has a schema that no version had\. Use another one\.\n$/,
    withManifest(({ migrations }) => ({ migrations: migrations.toSpliced(4, 1) })),
  ],
  ['no migrations', CANNOT_RESTORE, withManifest(() => ({ migrations: [] }))],
  [
    'a migration with control characters',
    WRONG_MANIFEST,
    withManifest(() => ({ migrations: ['\u001b[2J'] })),
  ],
  [
    'a time with control characters',
    WRONG_MANIFEST,
    withManifest(() => ({ created_at: '\u001b]0;x\u0007' })),
  ],
  [
    'a version with control characters',
    WRONG_MANIFEST,
    withManifest(() => ({ version: '\u001b[2J' })),
  ],
  ['a version that is too long', DAMAGED, withManifest(() => ({ version: 'x'.repeat(1e6) }))],
  ['a last ID below zero', WRONG_MANIFEST, withManifest(() => ({ last_ids: { projects: -5 } }))],
  [
    'a last ID that leaves no more',
    WRONG_MANIFEST,
    withManifest(() => ({ last_ids: { projects: 2 ** 63 } })),
  ],
  [
    'an unknown table of events',
    WRONG_MANIFEST,
    withManifest(({ event_tables }) => ({ event_tables: { ...event_tables, evil: 0 } })),
  ],
  // events
  [
    'events that are not Parquet',
    CANNOT_RESTORE,
    withContent('events/events/', () => 'hello'.repeat(100)),
  ],
  [
    'Parquet that is cut',
    CANNOT_RESTORE,
    withContent('events/events/', (bytes) => bytes.subarray(0, bytes.length / 2)),
  ],
  [
    'Parquet with a wrong footer',
    CANNOT_RESTORE,
    withContent('events/events/', (bytes) =>
      overwrite(bytes, bytes.length - 300, bytes.length - 8),
    ),
  ],
  [
    'Parquet with wrong pages',
    CANNOT_RESTORE,
    withContent('events/events/', (bytes) => overwrite(bytes, 4, bytes.length / 3)),
  ],
  [
    'encrypted Parquet',
    CANNOT_RESTORE,
    withContent('events/events/', (bytes) =>
      Buffer.concat([bytes.subarray(0, -4), Buffer.from('PARE')]),
    ),
  ],
  ['Parquet with other columns', CANNOT_RESTORE, withEvents('1 as file_row_number')],
  ['more events than the manifest says', CANNOT_RESTORE, withEvents(EVENT, 2_000_000)],
]

describe('hedgerow restore with a hostile archive', () => {
  it('refuses it in one sentence, and changes nothing', async () => {
    const source = await storageOptions()
    await fill(source)
    const path = await backUp(source, '--with-key')
    const target = await storageOptions()
    const before = await readContent(await backUp(target))
    const files = await readdir(target.dataFolder)

    for (const [name, message, edit] of ATTACKS) {
      const { code, stderr, stdout } = await restore(
        await editArchive(path, edit),
        target,
        '--replace',
      )

      const said = stderr.replaceAll(/^\d+ %.*\n/gm, '')
      expect({ name, code, said, stdout }).toEqual({
        name,
        code: 1,
        said: expect.stringMatching(message),
        stdout: '',
      })
      expect(await readdir(target.dataFolder), name).toEqual(files)
    }

    expect(await readContent(await backUp(target))).toEqual(before)
  })
})
