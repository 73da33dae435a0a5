import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { create } from 'tar'
import { expect, it, onTestFinished } from 'vitest'
import { readChosenArchive, readChosenFolder } from './app-files.ts'

const FILES = {
  'index.ts': "import { double } from './lib/double.ts'",
  'lib/double.ts': 'export const double = (n: number) => n * 2',
  'plugin.json': '{ "name": "In parts" }',
  'README.md': '# In parts',
  'index.test.ts': 'throw 1',
  'node_modules/x/index.js': 'throw 1',
  'logo.png': 'no source',
}
const KEPT = ['README.md', 'index.ts', 'lib/double.ts', 'plugin.json']

it('reads the source files of a folder, without tests and dependencies', async () => {
  const files = Object.entries(FILES).map(([name, text]) =>
    Object.defineProperty(new File([text], name), 'webkitRelativePath', { value: `app/${name}` }),
  )

  const read = await readChosenFolder(files)

  expect(Object.keys(read).toSorted()).toEqual(KEPT)
  expect(read['lib/double.ts']).toBe(FILES['lib/double.ts'])
})

it('reads the source files of an archive', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'hedgerow-archive-'))
  onTestFinished(() => rm(folder, { recursive: true }))
  for (const [name, text] of Object.entries(FILES)) {
    const path = join(folder, 'package', name)
    await mkdir(join(path, '..'), { recursive: true })
    await writeFile(path, text)
  }
  const file = join(folder, 'app.tgz')
  await create({ gzip: true, file, cwd: folder }, ['package'])

  const read = await readChosenArchive(new Blob([await readFile(file)]))

  expect(Object.keys(read).toSorted()).toEqual(KEPT)
  expect(read['lib/double.ts']).toBe(FILES['lib/double.ts'])
})

it('rejects a file that is not an archive', async () => {
  await expect(readChosenArchive(new Blob(['no']))).rejects.toThrow(
    'This file is not a .tgz archive.',
  )
})
