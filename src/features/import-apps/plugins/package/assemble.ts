import { posix } from 'node:path'
import { handlesRequests, ON_REQUEST } from '#model/app-limitation.ts'
import { ApiError } from '#server/errors.ts'
import { COMPILER, compileApp, compileFrontend } from '#server/runtime/compile.ts'
import { AppProblem, type Capabilities, type Runtime } from '#server/runtime/contract.ts'
import { Failure } from '#server/runtime/failure.ts'
import type { PluginColumns, PluginFile } from '../store.ts'
import { type AppFiles, FRONTEND, toAppFiles } from './app-files.ts'
import { compileConnector } from './connector.ts'
import { CONNECTOR_FILE } from './connector-streams.ts'
import {
  type AppManifest,
  MANIFEST_FILE,
  MAX_MANIFEST_LENGTH,
  parseAppManifest,
} from './manifest.ts'

/** A compiled app that can be installed. */
export interface AssembledApp {
  readonly columns: Omit<PluginColumns, 'plugin_type' | 'url' | 'tag' | 'latest_tag'>
  readonly files: readonly PluginFile[]
}

const NO_CAPABILITIES: Capabilities = { scheduled_tasks: [], jobs: [], methods: [] }

/**
 * Compiles an app and loads its code in a sandbox to find its capabilities. Throws an `AppProblem`. `name` is used if
 * there is no plugin.json.
 */
export async function assembleApp(
  describe: Runtime['describe'],
  sent: AppFiles,
  name?: string,
): Promise<AssembledApp> {
  const files = toAppFiles(sent)
  const manifest = readManifest(files, name)
  const code = await compile(files, manifest)
  const capabilities = code === '' ? NO_CAPABILITIES : await findCapabilities(describe, code)
  if (manifest.receives && !handlesRequests({ capabilities })) {
    throw new AppProblem(`${MANIFEST_FILE}: receives needs code that exports ${ON_REQUEST}.`)
  }
  return {
    columns: {
      name: manifest.name,
      version: readVersion(files),
      description: manifest.description,
      icon: manifest.icon,
      config_schema: JSON.stringify(manifest.config),
      public_jobs: JSON.stringify(manifest.publicJobs),
      capabilities: JSON.stringify(capabilities),
      receives: manifest.receives && JSON.stringify(manifest.receives),
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

/** Recompiles an installed app. Its capabilities stay as they are. */
export async function compileFiles(
  files: AppFiles,
  name: string,
): Promise<{ code: string; files: readonly PluginFile[] }> {
  const code = await compile(files, readManifest(files, name)).catch(toFailingCode)
  const entries = Object.entries(files)
  return { code, files: await Promise.all(entries.map(([file, source]) => toFile(file, source))) }
}

/** Returns code that throws the compiler's error, so that the runs of the app show it. */
function toFailingCode(error: unknown): string {
  if (!(error instanceof AppProblem)) throw error
  return `throw new Error(${JSON.stringify(error.message)})`
}

function readManifest(files: AppFiles, name: string | undefined): AppManifest {
  const text = files[MANIFEST_FILE]
  if (text !== undefined) return parseAppManifest(text)
  if (name === undefined) throw new AppProblem(`Could not find ${MANIFEST_FILE} in the plugin`)
  return {
    name,
    description: '',
    icon: null,
    main: undefined,
    config: [],
    publicJobs: {},
    receives: null,
  }
}

async function compile(files: AppFiles, manifest: AppManifest): Promise<string> {
  const connector = files[CONNECTOR_FILE]
  if (connector !== undefined) return compileConnector(connector, manifest.config)
  const main = findMain(files, manifest)
  return main === undefined ? '' : compileApp(files, main)
}

/** Returns undefined for an app that has only a frontend, or no files yet. */
function findMain(files: AppFiles, { main, name }: AppManifest): string | undefined {
  if (main !== undefined) {
    const file = posix.normalize(main)
    if (Object.hasOwn(files, file)) return file
    throw new AppProblem(`${MANIFEST_FILE}: main is ${main}, which does not exist.`)
  }
  const found = ['index.js', 'index.ts'].find((file) => Object.hasOwn(files, file))
  const isOptional = Object.hasOwn(files, FRONTEND) || Object.keys(files).length === 0
  if (found !== undefined || isOptional) return found
  throw new AppProblem(`Could not find main file index.js or index.ts in plugin ${name}`)
}

/** Reads an empty string if there is no `package.json`, or none with a version. */
function readVersion(files: AppFiles): string {
  const text = files['package.json'] ?? '{}'
  if (text.length > MAX_MANIFEST_LENGTH) return ''
  try {
    const { version } = JSON.parse(text)
    return typeof version === 'string' && /^[\w.+-]{1,100}$/.test(version) ? version : ''
  } catch {
    return ''
  }
}

/** Compiles the frontend of an app. An error is stored with it, since the app can still import. */
async function toFile(name: string, source: string): Promise<PluginFile> {
  if (name !== FRONTEND) return { name, source, compiled: null, problem: null }
  try {
    return { name, source, compiled: await compileFrontend(source), problem: null }
  } catch (error) {
    if (!(error instanceof AppProblem)) throw error
    return { name, source, compiled: null, problem: error.message }
  }
}
