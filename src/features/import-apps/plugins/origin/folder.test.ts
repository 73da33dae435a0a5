import { mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import { MAX_APP_BYTES } from '../package/app-files.ts'
import { readFolder } from './folder.ts'

async function makeFolder(files: Record<string, string | Buffer>): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'hedgerow-folder-'))
  onTestFinished(() => rm(folder, { recursive: true }))
  for (const [name, content] of Object.entries(files)) {
    await mkdir(dirname(join(folder, name)), { recursive: true })
    await writeFile(join(folder, name), content)
  }
  return folder
}

describe('the folder of an app', () => {
  it('is read without tests, dependencies, images and hidden files', async () => {
    const folder = await makeFolder({
      ...{ 'plugin.json': '{}', 'lib/deep/a.ts': 'a', 'README.md': '#', 'index.test.ts': '' },
      ...{ 'node_modules/a/index.js': '', '__tests__/a.js': '', '.git/a.json': '', 'a.png': '' },
      ...{ '.env.json': '{}', 'notes.md': '' },
    })

    expect(await readFolder(folder)).toEqual({
      'plugin.json': '{}',
      'lib/deep/a.ts': 'a',
      'README.md': '#',
    })
  })

  it('is read without following symbolic links', async () => {
    const secret = await makeFolder({ 'a.json': 'secret' })
    const folder = await makeFolder({ 'plugin.json': '{}' })
    await symlink(join(secret, 'a.json'), join(folder, 'a.json'))
    await symlink(secret, join(folder, 'lib'))

    expect(await readFolder(folder)).toEqual({ 'plugin.json': '{}' })
  })

  it.each<[string, Record<string, string | Buffer>, string]>([
    ['too large', { 'a.ts': Buffer.alloc(MAX_APP_BYTES, 'x'), 'b.ts': 'x' }, 'larger than 10 MiB'],
    ['binary', { 'a.ts': Buffer.from([0xff]) }, 'a.ts is not UTF-8 text.'],
    [
      'too full',
      Object.fromEntries(Array.from({ length: 1001 }, (_, n) => [`${n}.ts`, ''])),
      'more than 1000 files',
    ],
  ])('is refused if it is %s', async (_, files, message) => {
    const folder = await makeFolder(files)

    await expect(readFolder(folder)).rejects.toThrow(message)
  })

  it('is refused if it is missing', async () => {
    await expect(readFolder('/nowhere')).rejects.toThrow('/nowhere cannot be read (ENOENT)')
  })
})
