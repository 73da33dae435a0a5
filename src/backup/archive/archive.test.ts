import { createHash } from 'node:crypto'
import { appendFile, open, readFile, truncate, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { temporaryFolder } from '../../../test/support/data/backups.ts'
import { FORMAT, type Manifest } from './manifest.ts'
import { openArchive, readWhole } from './read-archive.ts'
import { END, TAR_BLOCK, toHeader, toPadding } from './tar.ts'
import { createArchive } from './write-archive.ts'

const MANIFEST: Omit<Manifest, 'members'> = {
  format: FORMAT,
  product: 'hedgerow',
  version: '1.0.0',
  created_at: '2026-01-01T00:00:00.000Z',
  migrations: [],
  tables: { users: 2 },
  event_tables: {},
  files: 1,
  last_ids: {},
  key_ids: [],
  includes_key: false,
}

async function writeExample(manifest: object = {}, name = 'files/a/000000'): Promise<string> {
  const path = join(await temporaryFolder(), 'a.tar')
  const archive = await createArchive(path, new Date(0))
  await archive.add('metadata/users/000001.jsonl', Buffer.from('{"id":1}\n{"id":2}\n'), 2)
  await archive.add(name, Buffer.alloc(600, 'x'))
  await archive.finish({ ...MANIFEST, ...manifest })
  await archive.close()
  return path
}

const openIt = async (path: string) => (await openArchive(path)).close()

describe('an archive', () => {
  it('returns its members', async () => {
    const { members, manifest, close } = await openArchive(await writeExample())

    expect(members.map(({ name }) => name)).toEqual([
      'metadata/users/000001.jsonl',
      'files/a/000000',
    ])
    expect(manifest.tables).toEqual({ users: 2 })
    const [users] = members
    expect(String(users && (await readWhole(users)))).toBe('{"id":1}\n{"id":2}\n')
    await close()
  })

  it('is refused if it is cut anywhere', async () => {
    const path = await writeExample()
    const { length } = await readFile(path)

    for (let size = length - 1; size >= 0; size -= 61) {
      await truncate(path, size)
      await expect(openIt(path), `${size} bytes`).rejects.toThrow(
        /^The backup .* is damaged or incomplete \(.*\)\. Use another one\.$/,
      )
    }
  })

  it('is refused if a byte is changed anywhere', async () => {
    const path = await writeExample()
    const bytes = await readFile(path)
    const file = await open(path, 'r+')

    for (let at = 0; at < bytes.length; at += 13) {
      await file.write(Buffer.of((bytes[at] as number) ^ (1 << (at % 8))), 0, 1, at)
      await expect(openIt(path), `byte ${at}`).rejects.toThrow(
        /^(The backup .* is damaged|Cannot use the backup)/,
      )
      await file.write(bytes, at, 1, at)
    }
    await file.close()
    await openIt(path)
  })

  it('is refused if something follows it', async () => {
    const path = await writeExample()
    await appendFile(path, 'x')

    await expect(openIt(path)).rejects.toThrow('its end is wrong')
  })

  it.each(['../a', '/a', 'files/../../a', 'files/a/../b', 'b', 'metadata/users/1.jsonl'])(
    'is refused with a member named %s',
    async (name) => {
      await expect(openIt(await writeExample({}, name))).rejects.toThrow(/is wrong|not listed/)
    },
  )

  it.each([
    ['counts that do not match', { tables: { users: 3 } }, 'its counts do not match'],
    ['rows of a table that is not counted', { tables: {} }, 'its counts do not match'],
    ['files that are not counted', { files: 0 }, 'its counts do not match'],
    ['a newer format', { format: FORMAT + 1 }, 'is newer than this version'],
    ['the manifest of something else', { product: 'other' }, 'not one of Hedgerow'],
  ])('is refused with %s', async (_, manifest, message) => {
    await expect(openIt(await writeExample(manifest))).rejects.toThrow(message)
  })

  it.each([
    ['rows', 'metadata/users/000002.jsonl', 3 * 1024 ** 3],
    ['events', 'events/events/000001.parquet', 3 * 1024 ** 3],
    ['keys', 'secret.key', 1024 ** 2],
  ])('is refused before it reads %s of too many bytes', async (_, name, size) => {
    const path = join(await temporaryFolder(), 'a.tar')
    const entry = { name, size, sha256: '0'.repeat(64) }
    const manifest = Buffer.from(JSON.stringify({ ...MANIFEST, members: [entry] }))
    const sum = Buffer.from(
      `${createHash('sha256').update(manifest).digest('hex')}  manifest.json\n`,
    )
    const file = await open(path, 'w')
    let at = 0
    const write = async (name: string, content: Buffer, size = content.length) => {
      await file.write(toHeader({ name, size, modifiedAt: 0 }), 0, TAR_BLOCK, at)
      if (content.length > 0) await file.write(content, 0, content.length, at + TAR_BLOCK)
      at += TAR_BLOCK + size + toPadding(size)
    }
    await write(name, Buffer.alloc(0), size) // a hole, which takes no room on disk
    await write('manifest.json', manifest)
    await write('manifest.sha256', sum)
    await file.truncate(at + END.length)
    await file.close()

    await expect(openIt(path)).rejects.toThrow(`(${name} is too large)`)
  })

  it('is refused with a manifest that is larger than its members need', async () => {
    const path = await writeExample({
      key_ids: Array.from({ length: 10_000 }, () => 'a'.repeat(16)),
    })

    await expect(openIt(path)).rejects.toThrow('its manifest is too large')
  })

  it.each([
    ['a symbolic link', 156, '2'],
    ['a hard link', 156, '1'],
    ['a device', 156, '3'],
    ['a folder', 156, '5'],
    ['a sparse file', 156, 'S'],
    ['an extended header', 156, 'x'],
    ['a link target', 157, '/etc/passwd'],
    ['another owner', 108, '0001750'],
    ['a set-user-ID bit', 100, '0004755'],
    ['a name with a NUL in it', 0, 'files/a\u0000b'],
    ['a name with a newline', 0, 'files/a\nb'],
    ['a prefix', 345, '../..'],
    ['a size in base 256', 124, '\u0080'],
  ])('is refused with %s in a header', async (_, at, text) => {
    const path = await writeExample()
    const file = await open(path, 'r+')
    const header = Buffer.alloc(TAR_BLOCK)
    await file.read(header, 0, TAR_BLOCK, 0)
    header.write(text, at, 'latin1')
    header.write(' '.repeat(8), 148, 'latin1')
    const sum = header.reduce((total, byte) => total + byte, 0)
    header.write(`${sum.toString(8).padStart(6, '0')}\u0000 `, 148, 'latin1')
    await file.write(header, 0, TAR_BLOCK, 0)
    await file.close()

    await expect(openIt(path)).rejects.toThrow(/a header at byte 0 is wrong|is not listed/)
  })

  it('is refused if it is another kind of file', async () => {
    const path = join(await temporaryFolder(), 'a.tar')
    await writeFile(path, 'hello'.repeat(1000))

    await expect(openIt(path)).rejects.toThrow('damaged or incomplete')
    await expect(openIt(await temporaryFolder())).rejects.toThrow('is not a file')
    await expect(openIt(`${path}.gone`)).rejects.toThrow('There is no backup at')
  })
})
