import { existsSync } from 'node:fs'
import { resolve } from 'node:path'
import { type Command, InvalidArgumentError } from 'commander'
import { readConfig } from '../config.ts'
import type { Db } from '../db/schema.ts'
import { ApiError, OperatorError } from '../errors.ts'
import {
  type InstallDeps,
  installFromOrigin,
  upgradePlugin,
} from '../features/import-apps/plugins/install.ts'
import { parseNpmSpec } from '../features/import-apps/plugins/origin/npm.ts'
import type { Origin } from '../features/import-apps/plugins/origin/origin.ts'
import { listAllPlugins, removePlugin } from '../features/import-apps/plugins/plugins.ts'
import type { InstalledPlugin } from '../features/import-apps/plugins/schema.ts'
import { toId } from '../http/ids.ts'
import { AppProblem } from '../runtime/contract.ts'
import { createRuntime } from '../runtime/runtime.ts'
import { createApp } from './new-app.ts'
import { type Format, print, toTable, withFormat } from './print.ts'
import { withStorage } from './storage.ts'

export function define(command: Command): void {
  withFormat(command.command('install'), 'app install @posthog/heartbeat-plugin')
    .description('install an import app')
    .argument('<app>', 'a folder, a .tgz, or an npm package: name or name@version')
    .action(install)
  withFormat(command.command('list'), 'app list').description('list the apps').action(list)
  withFormat(command.command('upgrade'), 'app upgrade 1000')
    .description('read an app again from where it came from')
    .argument('<id>', 'its id, from `hedgerow app list`', parseApp)
    .option('--to <version>', 'an npm version or tag instead of the newest')
    .action(upgrade)
  withFormat(command.command('remove'), 'app remove 1000')
    .description('uninstall an app; its configs stay')
    .argument('<id>', 'its id, from `hedgerow app list`', parseApp)
    .action(remove)
  withFormat(command.command('new'), 'app new my-app')
    .description('start an app of your own, with a test that passes')
    .argument('<folder>', 'where to put it: a folder that is empty or not there yet')
    .action(create)
}

async function install(text: string, format: Format): Promise<void> {
  const origin = toOrigin(text)
  const plugin = await withInstaller((db, installer) => installFromOrigin(db, installer, origin))
  const words = [
    `Installed ${describe(plugin)}.`,
    `To use it, make a config: POST /api/projects/<project>/pipeline_import_apps_configs {"plugin": ${plugin.id}}`,
  ]
  print(format, plugin, words.join('\n'))
}

async function list(format: Format): Promise<void> {
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

async function upgrade(id: number, { to, ...format }: Format & { to?: string }): Promise<void> {
  const plugin = await withInstaller((db, installer) =>
    knowing(id, upgradePlugin(db, installer, id, to)),
  )
  print(format, plugin, `Upgraded to ${describe(plugin)}.`)
}

async function remove(id: number, format: Format): Promise<void> {
  const plugin = await withStorage((db) => knowing(id, removePlugin(db, null, id)))
  print(format, plugin, `Uninstalled ${describe(plugin)}. Its configs stay.`)
}

async function create(folder: string, format: Format): Promise<void> {
  const made = await createApp(resolve(folder))
  const words = [
    `Made ${made.name} in ${made.folder}: ${made.files.join(', ')}.`,
    `To test it:     cd ${folder} && node --test`,
    `To install it:  hedgerow app install ${folder}`,
  ]
  print(format, made, words.join('\n'))
}

/** A folder or file that is there is meant, unless `npm:` says otherwise. */
function toOrigin(text: string): Origin {
  const path = resolve(text)
  if (existsSync(path)) return { type: 'local', path }
  const spec = parseNpmSpec(text.replace(/^npm:/, ''))
  if (spec) return { type: 'custom', spec }
  throw new OperatorError(
    `"${text}" is neither a folder or .tgz on this machine nor the name of an npm package.`,
  )
}

function parseApp(text: string): number {
  const id = toId(text)
  if (id !== undefined) return id
  throw new InvalidArgumentError("It is an app's number: see `hedgerow app list`.")
}

/** On the storage itself, also beside a running server; app code is loaded in a process of its own, as there. */
async function withInstaller(
  work: (db: Db, installer: InstallDeps) => Promise<InstalledPlugin>,
): Promise<InstalledPlugin> {
  const { requireSandbox } = readConfig()
  const runtime = createRuntime({ allowedHosts: [], requireSandbox, warn: say })
  const describe: InstallDeps['describe'] = (code) => runtime.describe(code)
  try {
    return await withStorage((db) => work(db, { userId: null, describe, say }))
  } catch (error) {
    throw error instanceof AppProblem ? new OperatorError(error.message) : error
  } finally {
    await runtime.close()
  }
}

/** Not where the result goes, which may be read by a program. */
const say = (step: string): void => {
  process.stderr.write(`${step}\n`)
}

function knowing<T>(id: number, work: Promise<T>): Promise<T> {
  return work.catch((error) => {
    const isUnknown = error instanceof ApiError && error.code === 'not_found'
    throw isUnknown ? new OperatorError(`There is no app ${id}. See \`hedgerow app list\`.`) : error
  })
}

const describe = ({ id, name, version }: InstalledPlugin): string =>
  `${[name, version].filter(Boolean).join(' ')} as app ${id}`
