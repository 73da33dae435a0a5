import type { Command } from 'commander'
import type { FastifyBaseLogger, FastifyInstance } from 'fastify'
import { buildApp } from '../app.ts'
import { type BackupListener, listenForBackups } from '../backup/control/server.ts'
import { deleteAbandoned } from '../backup/work-folder.ts'
import { type Config, readConfig } from '../config.ts'
import { deleteAbandonedRestore } from '../db/data-folder.ts'
import { lockDataFolder } from '../db/folder-lock.ts'
import {
  type FirstCredentials,
  isFirstStart,
  prepareStorage,
} from '../features/setup/first-start.ts'
import { drainConnections, stopListening } from '../http/drain.ts'
import { openServices, type Services } from '../services.ts'
import { startWatch } from '../worker/watch.ts'
import { startWorker, type Worker } from '../worker/worker.ts'
import { DEFAULT_RUNS, parseRuns } from './arguments.ts'
import { collectStartUpGarbage, keepHeapSmall } from './garbage.ts'
import { requireFreeAddress, toListenError } from './listen.ts'
import { type OutputFormat, print, withFormat } from './print.ts'
import { stopOnSignals } from './signals.ts'

export function define(command: Command): void {
  withFormat(command, 'serve')
    .option('--no-worker', 'do not run import apps; `hedgerow worker` does')
    .option('--runs <number>', 'number of concurrent runs', parseRuns, DEFAULT_RUNS)
    .addHelpText('after', '\nSettings are environment variables: see docs/operating.md')
    .action(serve)
}

/** With Node's default of 511, the system drops connections in a burst, and clients retry only after seconds. */
const BACKLOG = 4096

interface Options extends OutputFormat {
  readonly worker: boolean
  readonly runs: number
}

async function serve({ worker: runsApps, runs, ...format }: Options): Promise<void> {
  const config = readConfig()
  const { url, welcome } = await startServer(config, { runsApps, runs })
  const { email = null, password = null, apiKey = null } = welcome ?? {}
  const set_up = welcome ? `${config.url ?? url}/set-up#token=${welcome.setUpToken}` : null
  const ready = { url, email, password, value: apiKey, set_up }
  print(format, ready, describe(url, welcome, set_up))
}

interface StartOptions {
  readonly runsApps: boolean
  readonly runs: number
  readonly addRoutes?: (app: FastifyInstance, services: Services) => void
}

export interface StartedServer {
  readonly url: string
  readonly welcome: FirstCredentials | undefined
}

/** Starts a server that runs until a signal stops it. */
export async function startServer(
  config: Config,
  { runsApps, runs, addRoutes }: StartOptions,
): Promise<StartedServer> {
  const unlock = config.databaseUrl ? () => {} : lockDataFolder(config.dataFolder)
  if (!config.databaseUrl) deleteAbandonedRestore(config.dataFolder)
  await deleteAbandoned(config.dataFolder)
  const services = await openServices(config, (message) => app.log.warn(message), true)
  const app = buildApp({ services, config })
  const backups = config.databaseUrl
    ? undefined
    : await listenForCommands(config, services, app.log)
  let worker: Worker | undefined
  let workerStopped: Promise<void> | undefined
  app.addHook('preClose', async () => {
    workerStopped = worker?.stop()
    await drainConnections(app.server)
  })
  app.addHook('onClose', async () => {
    await workerStopped
    await backups?.close()
    await services.close()
    unlock()
  })
  try {
    if (await isFirstStart(services.storage.db)) await requireFreeAddress(config)
    const welcome = await prepareStorage(services.storage.db, config.firstStart)
    addRoutes?.(app, services)
    await app.ready()
    collectStartUpGarbage()
    keepHeapSmall()
    const url = await app.listen({ host: config.host, port: config.port, backlog: BACKLOG })
    stopOnSignals(app.log, {
      announce: () => app.announceStop(),
      delayMs: config.stopDelayMs,
      stopListening: () => stopListening(app.server),
      close: () => app.close(),
      closeConnections: () => app.server.closeAllConnections(),
      hasStuckThread: () => services.runaways.running > 0,
    })
    const origin = () => config.url ?? url
    if (!runsApps) worker = startWatch(services, { log: app.log, origin })
    else {
      const scheduled = config.backups && { schedule: config.backups, source: config }
      worker = startWorker(services, {
        log: app.log,
        concurrency: runs,
        origin,
        backups: scheduled,
      })
    }
    return { url, welcome }
  } catch (error) {
    await app.close()
    throw toListenError(error as NodeJS.ErrnoException, config)
  }
}

/** A data folder on a file system without sockets can be backed up only while the server is stopped. */
async function listenForCommands(
  { dataFolder }: Config,
  { events }: Services,
  log: FastifyBaseLogger,
): Promise<BackupListener | undefined> {
  try {
    return await listenForBackups(dataFolder, events)
  } catch (error) {
    log.warn(`Backups need the server to be stopped: ${(error as Error).message}`)
    return undefined
  }
}

function describe(
  url: string,
  welcome: FirstCredentials | undefined,
  setUp: string | null,
): string {
  const lines = [`Hedgerow is ready at ${url}`]
  if (welcome) {
    lines.push('', `Set up: ${setUp}`)
    lines.push(
      '',
      'First start. This is shown only once. Set-up replaces the sign-in and password:',
    )
    lines.push(`  sign-in   ${welcome.email}`)
    lines.push(`  password  ${welcome.password ?? '(as set in HEDGEROW_OWNER_PASSWORD)'}`)
    lines.push(`  API key   ${welcome.apiKey ?? '(as set in HEDGEROW_API_KEY)'}`)
    lines.push(
      '',
      `Try it:  curl -H "Authorization: Bearer ${welcome.apiKey ?? '$HEDGEROW_API_KEY'}" ${url}/api/projects`,
    )
  }
  lines.push('', `Documentation: ${url}/docs`)
  return lines.join('\n')
}
