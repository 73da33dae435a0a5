import { appendFile, open, readFile, truncate, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { temporaryFolder } from '../../../test/backups.ts'
import { FORMAT, type Manifest } from './manifest.ts'
import { openArchive, readWhole } from './read-archive.ts'
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

  it('is refused if it is another kind of file', async () => {
    const path = join(await temporaryFolder(), 'a.tar')
    await writeFile(path, 'hello'.repeat(1000))

    await expect(openIt(path)).rejects.toThrow('damaged or incomplete')
    await expect(openIt(`${path}.gone`)).rejects.toThrow('There is no backup at')
  })
})
