import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  renameSync,
  rmSync,
} from 'node:fs'
import { join } from 'node:path'
import { ROOT } from '../../../tools/sources.ts'
import { runNpm } from '../app/npm.ts'

/** Outside the folders with tests, because packages contain test files too. */
const CACHE = join(ROOT, 'node_modules/.cache/hedgerow')

/**
 * Packages that only the full check installs. Their package.json and lock are in a folder `packages`: beside the tests,
 * a package.json would hide the import aliases of the root from them.
 */
export interface LockedPackages {
  /** The `node_modules` that have them. */
  readonly folder: string
  /** Installs them, unless they already are. */
  install(): Promise<void>
}

/** `name`: of the folder in `test`. */
export function lockedPackages(name: string): LockedPackages {
  const source = join(ROOT, 'test', name, 'packages')
  const installed = join(CACHE, name)
  const folder = join(installed, 'node_modules')

  const isCurrent = (): boolean =>
    existsSync(join(folder, '.package-lock.json')) && // npm writes it last
    readLock(installed) === readLock(source)

  return {
    folder,
    async install() {
      if (isCurrent()) return
      mkdirSync(CACHE, { recursive: true })
      const fresh = mkdtempSync(`${installed}-`)
      for (const file of ['package.json', 'package-lock.json', '.npmrc']) {
        cpSync(join(file === '.npmrc' ? ROOT : source, file), join(fresh, file))
      }
      await runNpm(['ci', '--ignore-scripts', '--prefix', fresh], fresh)
      // complete or not at all, because another worker may install them at the same time
      if (isCurrent()) return rmSync(fresh, { recursive: true })
      rmSync(installed, { recursive: true, force: true })
      renameSync(fresh, installed)
    },
  }
}

function readLock(folder: string): string {
  const path = join(folder, 'package-lock.json')
  return existsSync(path) ? readFileSync(path, 'utf8') : ''
}
