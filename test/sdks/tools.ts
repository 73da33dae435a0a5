import { execFile } from 'node:child_process'
import { cpSync, existsSync, mkdirSync, readFileSync, rmSync } from 'node:fs'
import { delimiter, dirname, join } from 'node:path'
import { promisify } from 'node:util'
import { ROOT } from '../../tools/sources.ts'
import { runNpm } from '../npm.ts'

const run = promisify(execFile)

/** Not beside the tests, because a package.json hides the import aliases of the root from them. */
const SOURCE = join(import.meta.dirname, 'packages')
/** Outside the folders with tests, because packages contain test files too. */
const INSTALLED = join(ROOT, 'node_modules/.cache/hedgerow/sdks')

export const PACKAGES = join(INSTALLED, 'node_modules')

/** Installs the locked packages, unless they already are: 530 packages, 370 MB, which takes a minute. */
export async function installTools(): Promise<void> {
  const isCurrent =
    existsSync(join(PACKAGES, '.package-lock.json')) && // npm writes it last
    readText(join(INSTALLED, 'package-lock.json')) === readText(join(SOURCE, 'package-lock.json'))
  if (isCurrent) return
  rmSync(INSTALLED, { recursive: true, force: true })
  mkdirSync(INSTALLED, { recursive: true })
  for (const name of ['package.json', 'package-lock.json', '.npmrc']) {
    cpSync(join(name === '.npmrc' ? ROOT : SOURCE, name), join(INSTALLED, name))
  }
  await runNpm(['ci', '--ignore-scripts', '--prefix', INSTALLED], INSTALLED)
}

/** Runs a shell command with the installed packages. Rejects with its output if it fails. */
export async function runTool(
  command: string,
  cwd: string,
  env: Record<string, string> = {},
): Promise<string> {
  try {
    const options = { cwd, env: { ...toEnv(), ...env }, maxBuffer: 64 * 1024 * 1024 }
    const { stdout } = await run('sh', ['-c', command], options)
    return stdout
  } catch (error) {
    const { stdout, stderr } = error as { stdout: string; stderr: string }
    throw new Error(`${command} failed:\n${stdout}${stderr}`, { cause: error })
  }
}

const toEnv = (): NodeJS.ProcessEnv => ({
  ...process.env,
  PATH: [join(PACKAGES, '.bin'), dirname(process.execPath), process.env.PATH].join(delimiter),
  CI: 'true', // no questions
  DO_NOT_TRACK: '1',
  NO_COLOR: '1',
})

const readText = (path: string): string => (existsSync(path) ? readFileSync(path, 'utf8') : '')
