import { execFile } from 'node:child_process'
import { mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { AppProblem } from '#server/runtime/contract.ts'
import type { AppFiles } from '../package/app-files.ts'
import { readArchive } from './archive.ts'

export interface NpmSpec {
  readonly name: string
  /** An exact version or a tag. */
  readonly version: string
}

/** No first character that npm would take for a flag. */
const NAME = /^(@[a-z0-9~][a-z0-9._~-]*\/)?[a-z0-9~][a-z0-9._~-]*$/i
const VERSION = /^[a-z0-9][a-z0-9.+-]*$/i
/** npm takes whatever ends like this for a file of this machine. */
const LOOKS_LIKE_FILE = /\.(tgz|tar|tar\.gz)$/i
const MAX_LENGTH = 214

/** `name` or `name@version`. undefined for anything else that npm would understand: folders, addresses, git. */
export function parseNpmSpec(text: string): NpmSpec | undefined {
  const at = text.indexOf('@', 1)
  const name = at < 0 ? text : text.slice(0, at)
  const version = at < 0 ? 'latest' : text.slice(at + 1)
  const isSpec = NAME.test(name) && VERSION.test(version) && text.length <= MAX_LENGTH
  return isSpec && !LOOKS_LIKE_FILE.test(name) && !LOOKS_LIKE_FILE.test(version)
    ? { name, version }
    : undefined
}

/** The files of a package, from whichever registry, proxy and account the operator's npm uses. */
export async function readNpmPackage(spec: NpmSpec): Promise<AppFiles> {
  const folder = await mkdtemp(join(tmpdir(), 'hedgerow-npm-'))
  try {
    await runNpm(spec, folder, ['pack', '--ignore-scripts', '--pack-destination', folder])
    const archive = (await readdir(folder)).find((name) => name.endsWith('.tgz'))
    if (!archive) throw new AppProblem(`npm brought no archive for ${toText(spec)}.`)
    return await readArchive(join(folder, archive))
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

export async function findNewestVersion(name: string): Promise<string> {
  const spec = { name, version: 'latest' }
  const folder = await mkdtemp(join(tmpdir(), 'hedgerow-npm-'))
  try {
    const answer: unknown = JSON.parse(await runNpm(spec, folder, ['view'], ['version']))
    if (typeof answer === 'string' && VERSION.test(answer)) return answer
    throw new AppProblem(`npm did not say which version of ${name} is the newest.`)
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

const WITHIN_MS = 60_000
const run = promisify(execFile)

/** In a folder of its own, with a cache of its own: a service's user may have no home to write to. */
async function runNpm(
  spec: NpmSpec,
  folder: string,
  command: readonly string[],
  rest: readonly string[] = [],
): Promise<string> {
  const options = [
    '--json',
    '--loglevel=error',
    '--no-update-notifier',
    '--fetch-retries=1',
    '--fetch-retry-mintimeout=1000',
  ]
  const cache = ['--cache', join(folder, 'cache'), '--logs-max=0']
  const args = [...command, ...options, ...cache, '--', toText(spec), ...rest]
  try {
    const limits = { cwd: folder, timeout: WITHIN_MS, killSignal: 'SIGKILL' as const }
    return (await run('npm', args, limits)).stdout
  } catch (error) {
    throw toProblem(spec, error as Failure)
  }
}

type Failure = Partial<{ code: string | number; killed: boolean; stdout: string }>

const REASONS: Readonly<Record<string, (spec: NpmSpec) => string>> = {
  E404: ({ name }) =>
    `There is no package ${name} in the npm registry, or it is not for us to see.`,
  ETARGET: ({ name, version }) => `The npm package ${name} has no version ${version}.`,
}

function toProblem(spec: NpmSpec, { code, killed, stdout = '' }: Failure): AppProblem {
  if (code === 'ENOENT') {
    return new AppProblem(
      'npm was not found, and only it fetches packages. Install npm, or install the app from a folder or a .tgz with `hedgerow app install`.',
    )
  }
  if (killed) {
    return new AppProblem(`npm did not fetch ${toText(spec)} within ${WITHIN_MS / 1000} seconds.`)
  }
  const said = readReason(stdout)
  const known = REASONS[said.code]
  return new AppProblem(known?.(spec) ?? `npm could not fetch ${toText(spec)}: ${said.words}.`)
}

/** npm writes why it failed as JSON, with what is secret in addresses already taken out. */
function readReason(stdout: string): { code: string; words: string } {
  try {
    const { code = '', summary = '' } = JSON.parse(stdout).error
    const words = String(summary).split('\n', 1)[0]?.slice(0, 300).replace(/\.$/, '')
    return { code: String(code), words: words || String(code) }
  } catch {
    return { code: '', words: 'it did not say why' }
  }
}

const toText = ({ name, version }: NpmSpec): string => `${name}@${version}`
