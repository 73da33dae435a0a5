import { existsSync } from 'node:fs'
import { resolve } from 'node:path'
import { type Command, InvalidArgumentError } from 'commander'
import { readConfig } from '../config.ts'
import { createEgress } from '../egress/egress.ts'
import { ApiError, OperatorError } from '../errors.ts'
import {
  type InstallDeps,
  installFromOrigin,
  upgradePlugin,
} from '../features/import-apps/plugins/install.ts'
import { GITHUB_URL } from '../features/import-apps/plugins/origin/github.ts'
import { parseNpmSpec } from '../features/import-apps/plugins/origin/npm.ts'
import { type Origin, parseOriginUrl } from '../features/import-apps/plugins/origin/origin.ts'
import {
  type Editor,
  listAllPlugins,
  removePlugin,
} from '../features/import-apps/plugins/plugins.ts'
import type { InstalledPlugin } from '../features/import-apps/plugins/schema.ts'
import { toId } from '../http/ids.ts'
import { AppProblem } from '../runtime/contract.ts'
import { createRuntime } from '../runtime/runtime.ts'
import { installManifest, MANIFEST_PREFIX, type ManifestOptions, writeManifest } from './airbyte.ts'
import { checkApp, developApp } from './app-dev.ts'
import { createApp } from './new-app.ts'
import { type OutputFormat, print, toTable, withFormat } from './print.ts'
import { withStorage } from './storage.ts'

/** Changes on the command line belong to no user. */
const OPERATOR: Editor = { userId: null }

export function define(command: Command): void {
  withFormat(command.command('install'), 'app install @posthog/heartbeat-plugin')
    .description('install an import app')
    .argument(
      '<app>',
      'a folder, a .tgz file, an npm package (name or name@version), a URL of npm or GitHub, or airbyte: before the file or URL of a declarative manifest',
    )
    .option('--streams <names>', 'of a manifest: import only these streams, separated by commas')
    .option('--write <folder>', 'of a manifest: write the app to a new folder instead')
    .action(install)
  withFormat(command.command('list'), 'app list')
    .description('list the installed apps')
    .action(list)
  withFormat(command.command('upgrade'), 'app upgrade 1000')
    .description('install another version of an app')
    .argument('<id>', 'the id, from `hedgerow app list`', parseApp)
    .option('--to <version>', 'npm version or tag (default: latest)')
    .action(upgrade)
  withFormat(command.command('remove'), 'app remove 1000')
    .description('uninstall an app and keep its configs')
    .argument('<id>', 'the id, from `hedgerow app list`', parseApp)
    .action(remove)
  withFormat(command.command('new'), 'app new my-app')
    .description('create an app from a template, with a passing test')
    .argument('<folder>', 'an empty or new folder')
    .action(create)
  withFormat(command.command('check'), 'app check my-app')
    .description('compile an app as an installation would')
    .argument('<folder>', 'the folder of the app')
    .action(checkApp)
  withFormat(command.command('dev'), 'app dev my-app')
    .description('run an app after each change of its files, and store nothing')
    .argument('<folder>', 'the folder of the app')
    .option('--settings <file>', 'settings as JSON (default: .settings.json in the folder)')
    .option('--job <name>', 'the job to run (default: the scheduled task, or else the first job)')
    .option('--once', 'run once and exit')
    .action(developApp)
}

async function install(
  text: string,
  { streams, write, ...format }: OutputFormat & ManifestOptions,
): Promise<void> {
  const isManifest = text.startsWith(MANIFEST_PREFIX)
  if (!isManifest && (streams !== undefined || write !== undefined)) {
    throw new OperatorError('--streams and --write are for manifests: airbyte:<file or URL>.')
  }
  if (isManifest && write !== undefined) return writeManifest(text, { streams, write }, format)
  const plugin = await withInstaller((deps) =>
    isManifest
      ? installManifest(deps, OPERATOR, text, { streams })
      : installFromOrigin(deps, OPERATOR, toOrigin(text, deps.githubUrl)),
  )
  const lines = [
    `Installed ${describe(plugin)}.`,
    ...(plugin.limitation ? [plugin.limitation] : []),
    `To use it, create a config: POST /api/projects/<project>/pipeline_import_apps_configs {"plugin": ${plugin.id}}`,
  ]
  print(format, plugin, lines.join('\n'))
}

async function list(format: OutputFormat): Promise<void> {
  const results = await withStorage(listAllPlugins)
  const rows = results.map((plugin) => [
    `${plugin.id}`,
    plugin.name,
    plugin.version,
    plugin.built_in ? 'built in' : (plugin.url ?? 'source'),
    plugin.capabilities.scheduled_tasks.join(', '),
    Object.keys(plugin.public_jobs).join(', '),
  ])
  print(format, { results }, toTable(['ID', 'NAME', 'VERSION', 'FROM', 'RUNS', 'JOBS'], rows))
}

async function upgrade(
  id: number,
  { to, ...format }: OutputFormat & { to?: string },
): Promise<void> {
  const plugin = await withInstaller((deps) =>
    explainUnknown(id, upgradePlugin(deps, OPERATOR, { id, version: to })),
  )
  print(format, plugin, `Upgraded to ${describe(plugin)}.`)
}

async function remove(id: number, format: OutputFormat): Promise<void> {
  const plugin = await withStorage((db) => explainUnknown(id, removePlugin(db, OPERATOR, id)))
  print(format, plugin, `Uninstalled ${describe(plugin)}. Its configs are kept.`)
}

async function create(folder: string, format: OutputFormat): Promise<void> {
  const app = await createApp(resolve(folder))
  const lines = [
    `Created ${app.name} in ${app.folder}: ${app.files.join(', ')}.`,
    `To test it:     cd ${folder} && node --test`,
    `To run it:      hedgerow app dev ${folder}`,
    `To install it:  hedgerow app install ${folder}`,
  ]
  print(format, app, lines.join('\n'))
}

/** Prefers an existing folder or file; `npm:` forces the registry. */
function toOrigin(text: string, githubUrl: string): Origin {
  const path = resolve(text)
  if (existsSync(path)) return { type: 'local', path }
  if (/^https?:/.test(text)) return parseOriginUrl(text, githubUrl)
  const spec = parseNpmSpec(text.replace(/^npm:/, ''))
  if (spec) return { type: 'npm', spec }
  throw new OperatorError(
    `"${text}" is neither a folder, a .tgz file nor the name of an npm package.`,
  )
}

function parseApp(text: string): number {
  const id = toId(text)
  if (id !== undefined) return id
  throw new InvalidArgumentError('Use the id of an app: see `hedgerow app list`.')
}

/** Works beside a running server. As in the server, app code is loaded in a separate process. */
async function withInstaller(
  work: (deps: InstallDeps) => Promise<InstalledPlugin>,
): Promise<InstalledPlugin> {
  const { requireSandbox, appUsers, appHosts, githubUrl = GITHUB_URL } = readConfig()
  const egress = createEgress({ allowedHosts: appHosts })
  const runtime = createRuntime({ allowedHosts: [], requireSandbox, appUsers, warn: printStep })
  const describe: InstallDeps['describe'] = (code) => runtime.describe(code)
  try {
    return await withStorage((db) => work({ db, describe, egress, githubUrl, onStep: printStep }))
  } catch (error) {
    throw error instanceof AppProblem ? new OperatorError(error.message) : error
  } finally {
    await runtime.close()
    await egress.close()
  }
}

/** Prints to stderr: a program may parse stdout. */
const printStep = (step: string): void => {
  process.stderr.write(`${step}\n`)
}

/** Replaces a `not_found` error of the API with a message for the command line. */
function explainUnknown<T>(id: number, work: Promise<T>): Promise<T> {
  return work.catch((error) => {
    const isUnknown = error instanceof ApiError && error.code === 'not_found'
    throw isUnknown ? new OperatorError(`There is no app ${id}. See \`hedgerow app list\`.`) : error
  })
}

const describe = ({ id, name, version }: InstalledPlugin): string =>
  `${[name, version].filter(Boolean).join(' ')} as app ${id}`
