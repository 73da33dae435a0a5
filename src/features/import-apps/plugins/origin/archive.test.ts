import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { gzipSync, zstdCompressSync } from 'node:zlib'
import { Header, type HeaderData } from 'tar'
import { describe, expect, it, onTestFinished } from 'vitest'
import { AppProblem } from '#server/runtime/contract.ts'
import { MAX_APP_BYTES } from '../package/app-files.ts'
import { readArchive } from './archive.ts'

type Entry = readonly [path: string, text: string | Buffer, header?: HeaderData]

const FOLDER: HeaderData = { type: 'Directory' }
const MANIFEST: Entry = ['package/plugin.json', '{"name":"App"}']

/** Written by hand, since tools refuse to write malicious entries. */
function toTar(entries: readonly Entry[]): Buffer {
  const blocks = entries.flatMap(([path, text, more]) => {
    const body = Buffer.from(text)
    const header = new Header({ path, type: 'File', mode: 0o644, size: body.length, ...more })
    const block = Buffer.alloc(512)
    header.encode(block)
    return [block, body, Buffer.alloc((512 - (body.length % 512)) % 512)]
  })
  return Buffer.concat([...blocks, Buffer.alloc(1024)])
}

async function read(archive: Buffer): Promise<unknown> {
  const folder = await mkdtemp(join(tmpdir(), 'hedgerow-archive-'))
  onTestFinished(() => rm(folder, { recursive: true }))
  const file = join(folder, 'app.tgz')
  await writeFile(file, archive)
  return readArchive(file)
}

const readEntries = (...entries: Entry[]) => read(gzipSync(toTar(entries)))

describe('an archive', () => {
  it.each(['package/', 'my-app-1.0/', './', './package/', ''])(
    'is read from the folder "%s"',
    async (at) => {
      const files = await readEntries([`${at}plugin.json`, '{}'], [`${at}lib/a.ts`, 'é'])

      expect(files).toEqual({ 'plugin.json': '{}', 'lib/a.ts': 'é' })
    },
  )

  it('is read without tests, dependencies, images and hidden files', async () => {
    const files = await readEntries(
      MANIFEST,
      ['package/index.test.ts', ''],
      ['package/__tests__/index.js', ''],
      ['package/node_modules/a/index.js', ''],
      ['package/logo.png', Buffer.from([0, 255])],
      ['package/.eslintrc.js', ''],
      ['package/README.md', '# App'],
    )

    expect(Object.keys(files as object)).toEqual(['plugin.json', 'README.md'])
  })

  it('keeps the last of two files with the same name, as tar does', async () => {
    const files = await readEntries(MANIFEST, ['package/a.ts', '1'], ['package/a.ts', '2'])

    expect(files).toMatchObject({ 'a.ts': '2' })
  })

  it.each<[string, Entry, RegExp]>([
    ['a path outside of the archive', ['package/../../evil.ts', ''], /evil\.ts" is not a valid/],
    ['an absolute path', ['/etc/evil.ts', ''], /"\/etc\/evil\.ts" is not a valid/],
    ['a path with backslashes', ['package\\..\\evil.ts', ''], /is not a valid file name/],
    ['a drive letter', ['C:/evil.ts', ''], /is not a valid file name/],
    ['a control character', ['package/a\u001b[2J.ts', ''], /is not a valid file name/],
    [
      'a symbolic link',
      ['package/a.ts', '', { type: 'SymbolicLink', linkpath: '/etc/passwd' }],
      /package\/a\.ts is a SymbolicLink. An archive may contain only plain files/,
    ],
    ['a hard link', ['package/a.ts', '', { type: 'Link', linkpath: 'b' }], /is a Link. An archive/],
    ['a device', ['package/a.ts', '', { type: 'CharacterDevice' }], /is a CharacterDevice/],
    ['a source that is not text', ['package/a.ts', Buffer.from([255])], /^a\.ts is not UTF-8 text/],
    ['a source that contains NUL', ['package/a.ts', 'a\0b'], /^a\.ts is not UTF-8 text/],
  ])('is refused with %s', async (_, entry, message) => {
    const reading = readEntries(MANIFEST, entry)

    await expect(reading).rejects.toThrow(message)
    await expect(reading).rejects.toBeInstanceOf(AppProblem)
  })

  it('is refused with more than a thousand files', async () => {
    const many = Array.from({ length: 1000 }, (_, n): Entry => [`package/${n}.ts`, ''])

    await expect(readEntries(MANIFEST, ...many)).rejects.toThrow('more than 1000 files')
  })

  it('is refused with too many entries before all are read', async () => {
    const many = Array.from({ length: 4000 }, (_, n): Entry => [`package/${n}/`, '', FOLDER])

    await expect(readEntries(MANIFEST, ...many)).rejects.toThrow('more than 1000 files')
  })

  it('is refused if it is packed twice, which the parser would unpack without a limit', async () => {
    const large: Entry = ['package/a.ts', Buffer.alloc(50 * 1024 * 1024, ' ')]
    const twice = gzipSync(gzipSync(toTar([MANIFEST, large])))
    const withZstd = gzipSync(zstdCompressSync(toTar([MANIFEST])))

    await expect(read(twice)).rejects.toThrow('The archive is packed twice.')
    await expect(read(withZstd)).rejects.toThrow('The archive is packed twice.')
  })

  it('is refused if larger than 10 MiB, packed or unpacked', async () => {
    const bomb = gzipSync(Buffer.alloc(200 * 1024 * 1024))
    expect(bomb.length).toBeLessThan(1024 * 1024)

    await expect(read(bomb)).rejects.toThrow('larger than 10 MiB')
    await expect(read(Buffer.alloc(MAX_APP_BYTES + 1))).rejects.toThrow('larger than 10 MiB')
  })

  it('is refused with a wrong file length', async () => {
    const tar = toTar([MANIFEST, ['package/a.ts', 'x', { size: 5_000_000_000 }]])

    await expect(read(gzipSync(tar))).rejects.toThrow('The archive is damaged')
  })

  it.each([
    ['plain text', Buffer.from('hello'), 'is not a .tgz'],
    ['empty', Buffer.alloc(0), 'is not a .tgz'],
    ['truncated', gzipSync(toTar([MANIFEST])).subarray(0, 60), 'is not a .tgz'],
    ['gzip without tar', gzipSync(Buffer.from('hello')), 'The archive is damaged'],
  ])('is refused if it is %s', async (_, bytes, message) => {
    await expect(read(bytes)).rejects.toThrow(message)
  })

  it('is refused if it is missing or a folder', async () => {
    await expect(readArchive('/nowhere/app.tgz')).rejects.toThrow('cannot be read (ENOENT)')
    await expect(readArchive(tmpdir())).rejects.toThrow(/is not a file|cannot be read/)
  })
})
