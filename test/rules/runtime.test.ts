import { expect, it } from 'vitest'
import { importsOf, listSources } from './sources.ts'

/** The folders and files of `src/runtime`. Each may import from itself and from those after it. */
const ROOMS = [
  'runtime',
  'pool',
  'host',
  'process',
  'child',
  'compile',
  'bundle-package',
  'wire',
  'esbuild',
  'provided-packages',
  'failure',
  'contract',
  'limits',
]

const roomOf = (file: string): string => file.split('/')[1]?.replace(/\.ts$/, '') ?? ''

it('imports between the folders of the runtime point one way', () => {
  const files = listSources().filter((file) => file.startsWith('runtime/'))
  const wrong = files.flatMap((file) =>
    importsOf(file)
      .filter((path) => path.startsWith('runtime/'))
      .filter((path) => ROOMS.indexOf(roomOf(path)) < ROOMS.indexOf(roomOf(file)))
      .map((path) => `${file} imports ${path}`),
  )

  expect([...new Set(files.map(roomOf))].sort()).toEqual([...ROOMS].sort())
  expect(wrong).toEqual([])
})
