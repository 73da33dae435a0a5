import { cpSync, mkdirSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { ROOT } from '../../tools/sources.ts'
import { runNpm } from '../npm.ts'

const SOURCES = [
  'CHANGELOG.md',
  'LICENSE',
  'README.md',
  'apps',
  'bin',
  'docs',
  'package.json',
  'skeleton',
  'src',
  'tools',
  'tsconfig.json',
  'web',
]

/**
 * Runs `npm pack` in a copy of the repository without the built web app, because other tests use the one that is there.
 * Returns the path of the tarball.
 */
export async function packCopy(folder: string): Promise<string> {
  const copy = join(folder, 'copy')
  const built = join(ROOT, 'web/dist')
  mkdirSync(copy)
  for (const name of SOURCES) {
    const filter = (path: string) => path !== built
    cpSync(join(ROOT, name), join(copy, name), { recursive: true, filter })
  }
  symlinkSync(join(ROOT, 'node_modules'), join(copy, 'node_modules'))
  const output = await runNpm(['pack', '--silent', '--pack-destination', folder], copy)
  return join(folder, output.trim().split('\n').at(-1) ?? '')
}
