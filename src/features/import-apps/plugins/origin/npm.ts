import { execFile } from 'node:child_process'
import { mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { AppProblem } from '#server/runtime/contract.ts'
import { findProgram } from '#server/runtime/process/find-program.ts'
import type { AppFiles } from '../package/app-files.ts'
import { readArchive } from './archive.ts'

export interface NpmSpec {
  readonly name: string
  /** An exact version or a tag. */
  readonly version: string
}

/** The first character must not look like a flag of npm. */
const NAME = /^(@[a-z0-9~][a-z0-9._~-]*\/)?[a-z0-9~][a-z0-9._~-]*$/i
const VERSION = /^[a-z0-9][a-z0-9.+-]*$/i
/** npm treats names that end like this as local files. */
const LOOKS_LIKE_FILE = /\.(tgz|tar|tar\.gz)$/i
const MAX_LENGTH = 214

/** Parses `name` or `name@version`. Returns undefined for anything else that npm accepts: folders, URLs, git. */
export function parseNpmSpec(text: string): NpmSpec | undefined {
  const at = text.indexOf('@', 1)
  const name = at < 0 ? text : text.slice(0, at)
  const version = at < 0 ? 'latest' : text.slice(at + 1)
  const isSpec = NAME.test(name) && VERSION.test(version) && text.length <= MAX_LENGTH
  return isSpec && !LOOKS_LIKE_FILE.test(name) && !LOOKS_LIKE_FILE.test(version)
    ? { name, version }
    : undefined
}

/** Downloads a package with the operator's npm settings: registry, proxy and account. */
export async function readNpmPackage(spec: NpmSpec): Promise<AppFiles> {
  const folder = await mkdtemp(join(tmpdir(), 'hedgerow-npm-'))
  try {
    await runNpm(spec, folder, ['pack', '--ignore-scripts', '--pack-destination', folder])
    const archive = (await readdir(folder)).find((name) => name.endsWith('.tgz'))
    if (!archive) throw new AppProblem(`npm returned no archive for ${toText(spec)}.`)
    return await readArchive(join(folder, archive))
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

export async function findLatestVersion(name: string): Promise<string> {
  const spec = { name, version: 'latest' }
  const folder = await mkdtemp(join(tmpdir(), 'hedgerow-npm-'))
  try {
    const output = tryParse(await runNpm(spec, folder, ['view'], ['version']))
    if (typeof output === 'string' && VERSION.test(output)) return output
    throw new AppProblem(`npm returned no latest version of ${name}.`)
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

/** npm prints nothing if the registry leaves out the version. */
function tryParse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

const TIMEOUT_MS = 60_000
const run = promisify(execFile)

/** Keeps a registry from filling disk and memory. npm itself limits neither. */
const LIMITS = ['--core=0', `--fsize=${64 * 1024 ** 2}`, `--data=${2 * 1024 ** 3}`, '--']

const toCommand = (args: readonly string[]): [string, string[]] => {
  const prlimit = findProgram('prlimit')
  return prlimit ? [prlimit, [...LIMITS, 'npm', ...args]] : ['npm', [...args]]
}

/** Runs npm with its own folder and cache, since a service's user may have no writable home. */
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
    // a registry could name a repository or a local folder as the place of a package
    '--git=false',
    '--allow-git=none',
    '--allow-file=none',
    '--allow-directory=none',
  ]
  const cache = ['--cache', join(folder, 'cache'), '--logs-max=0']
  const args = [...command, ...options, ...cache, '--', toText(spec), ...rest]
  try {
    const limits = { cwd: folder, timeout: TIMEOUT_MS, killSignal: 'SIGKILL' as const }
    const [program, programArgs] = toCommand(args)
    return (await run(program, programArgs, limits)).stdout
  } catch (error) {
    throw toProblem(spec, error as Failure)
  }
}

/** The exit code of prlimit if npm is missing. */
const NOT_FOUND = 127

type Failure = Partial<{ code: string | number; killed: boolean; stdout: string }>

const REASONS: Readonly<Record<string, (spec: NpmSpec) => string>> = {
  E404: ({ name }) => `The npm registry has no package ${name}, or no access to it.`,
  ETARGET: ({ name, version }) => `The npm package ${name} has no version ${version}.`,
}

function toProblem(spec: NpmSpec, { code, killed, stdout = '' }: Failure): AppProblem {
  if (code === 'ENOENT' || code === NOT_FOUND) {
    return new AppProblem(
      'npm was not found. Install npm, or install the app from a folder or a .tgz file with `hedgerow app install`.',
    )
  }
  if (killed) {
    return new AppProblem(`npm did not fetch ${toText(spec)} within ${TIMEOUT_MS / 1000} seconds.`)
  }
  const reason = parseReason(stdout)
  const message = REASONS[reason.code]?.(spec)
  return new AppProblem(message ?? `npm could not fetch ${toText(spec)}: ${reason.summary}.`)
}

/** Parses the JSON that npm prints on failure. npm has already removed secrets from URLs in it. */
function parseReason(stdout: string): { code: string; summary: string } {
  try {
    const { code = '', summary = '' } = JSON.parse(stdout).error
    const firstLine = String(summary).split('\n', 1)[0]?.slice(0, 300).replace(/\.$/, '')
    return { code: String(code), summary: firstLine || String(code) }
  } catch {
    return { code: '', summary: 'unknown error' }
  }
}

const toText = ({ name, version }: NpmSpec): string => `${name}@${version}`
