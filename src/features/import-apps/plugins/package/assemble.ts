import { posix } from 'node:path'
import { ApiError } from '#server/errors.ts'
import { COMPILER, compileApp, compileFrontend } from '#server/runtime/compile.ts'
import { AppProblem, type Capabilities, type Runtime } from '#server/runtime/contract.ts'
import { Failure } from '#server/runtime/failure.ts'
import type { PluginColumns, PluginFile } from '../store.ts'
import { type AppFiles, FRONTEND, requireAppFiles } from './app-files.ts'
import { MANIFEST, type Manifest, parseManifest } from './manifest.ts'

/** An app that is fit to be installed. */
export interface AssembledApp {
  readonly columns: Omit<PluginColumns, 'plugin_type' | 'url' | 'tag' | 'latest_tag'>
  readonly files: readonly PluginFile[]
}

const NOTHING: Capabilities = { scheduled_tasks: [], jobs: [], methods: [] }

/**
 * Compiles an app and finds out what it can do, by loading its code where it can do no harm. Throws an `AppProblem`.
 * `name` is for source that says nothing about itself.
 */
export async function assembleApp(
  describe: Runtime['describe'],
  files: AppFiles,
  name?: string,
): Promise<AssembledApp> {
  requireAppFiles(files)
  const manifest = readManifest(files, name)
  const code = await compile(files, manifest)
  const capabilities = code === '' ? NOTHING : await findCapabilities(describe, code)
  requireJobs(manifest, capabilities)
  return {
    columns: {
      name: manifest.name,
      version: readVersion(files),
      description: manifest.description,
      icon: manifest.icon,
      config_schema: JSON.stringify(manifest.config),
      public_jobs: JSON.stringify(manifest.publicJobs),
      capabilities: JSON.stringify(capabilities),
      code,
      compiled_by: COMPILER,
    },
    files: await Promise.all(Object.entries(files).map(([file, source]) => toFile(file, source))),
  }
}

async function findCapabilities(
  describe: Runtime['describe'],
  code: string,
): Promise<Capabilities> {
  try {
    return await describe(code)
  } catch (error) {
    if (error instanceof Failure) throw new ApiError('unavailable', error.message)
    throw error
  }
}

/** What a newer compiler makes of an app that is installed. Its capabilities stay as they were. */
export async function compileFiles(
  files: AppFiles,
  name: string,
): Promise<{ code: string; files: readonly PluginFile[] }> {
  const code = await compile(files, readManifest(files, name)).catch(toFailingCode)
  const entries = Object.entries(files)
  return { code, files: await Promise.all(entries.map(([file, source]) => toFile(file, source))) }
}

/** Whoever runs the app then reads why it does not work any more. */
function toFailingCode(error: unknown): string {
  if (!(error instanceof AppProblem)) throw error
  return `throw new Error(${JSON.stringify(error.message)})`
}

function readManifest(files: AppFiles, name: string | undefined): Manifest {
  const text = files[MANIFEST]
  if (text !== undefined) return parseManifest(text)
  if (name === undefined) throw new AppProblem(`Could not find ${MANIFEST} in the plugin`)
  return { name, description: '', icon: null, main: undefined, config: [], publicJobs: {} }
}

async function compile(files: AppFiles, manifest: Manifest): Promise<string> {
  const main = findMain(files, manifest)
  return main === undefined ? '' : compileApp(files, main)
}

/** undefined: it only has a page of its own, or nothing at all yet. */
function findMain(files: AppFiles, { main, name }: Manifest): string | undefined {
  if (main !== undefined) {
    const file = posix.normalize(main)
    if (Object.hasOwn(files, file)) return file
    throw new AppProblem(`${MANIFEST}: main is ${main}, a file that the app does not have.`)
  }
  const found = ['index.js', 'index.ts'].find((file) => Object.hasOwn(files, file))
  const needsNone = Object.hasOwn(files, FRONTEND) || Object.keys(files).length === 0
  if (found !== undefined || needsNone) return found
  throw new AppProblem(`Could not find main file index.js or index.ts in plugin ${name}`)
}

function requireJobs({ publicJobs }: Manifest, { jobs }: Capabilities): void {
  const missing = Object.keys(publicJobs).find((name) => !jobs.includes(name))
  if (missing === undefined) return
  const known = jobs.length > 0 ? `they are ${jobs.map(quote).join(', ')}` : 'there are none'
  throw new AppProblem(
    `${MANIFEST}: publicJobs names ${quote(missing)}, which is not among the code's exported jobs: ${known}.`,
  )
}

const quote = (name: string): string => `"${name}"`

/** `package.json` is optional, and what else is in it is not for us. */
function readVersion(files: AppFiles): string {
  try {
    const { version } = JSON.parse(files['package.json'] ?? '{}')
    return typeof version === 'string' && /^[\w.+-]{1,100}$/.test(version) ? version : ''
  } catch {
    return ''
  }
}

/** An app whose page is broken still imports. */
async function toFile(name: string, source: string): Promise<PluginFile> {
  if (name !== FRONTEND) return { name, source, compiled: null, problem: null }
  try {
    return { name, source, compiled: await compileFrontend(source), problem: null }
  } catch (error) {
    if (!(error instanceof AppProblem)) throw error
    return { name, source, compiled: null, problem: error.message }
  }
}
