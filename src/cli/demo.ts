import { spawn } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Command } from 'commander'
import type { FastifyInstance } from 'fastify'
import { generateToken, startSession } from '../access/sessions.ts'
import { type Config, hasDisplay, readConfig } from '../config.ts'
import type { Db } from '../db/schema.ts'
import { notFound, OperatorError } from '../errors.ts'
import type { Run } from '../features/import-apps/runs/schema.ts'
import type { DemoData } from '../features/setup/demo/schema.ts'
import { DEFAULT_RUNS } from './arguments.ts'
import { requireFreeAddress } from './listen.ts'
import { type OutputFormat, print, withFormat } from './print.ts'
import { createProgressPrinter } from './progress.ts'
import { startServer } from './serve.ts'

export function define(command: Command): void {
  withFormat(command, 'demo')
    .option('--no-open', 'do not open the browser')
    .addHelpText('after', '\nEverything is in a temporary folder, which is deleted at the end.')
    .action(runDemo)
}

async function runDemo({ open, ...format }: OutputFormat & { open: boolean }): Promise<void> {
  const config = await toDemoConfig(readConfig())
  const token = generateToken()
  let page = '/'
  const stop = () => process.exit(1)
  process.on('SIGINT', stop).on('SIGTERM', stop) // until the server handles them
  const { url, welcome } = await startServer(config, {
    runsApps: true,
    runs: DEFAULT_RUNS,
    addRoutes: (app, { storage }) => addSignIn(app, storage.db, token, () => page),
  })
  process.off('SIGINT', stop).off('SIGTERM', stop)
  const { email, password, apiKey = '' } = welcome ?? {}
  const call = createClient(url, apiKey)
  await call('/api/projects/1', 'PATCH', { timezone: machineZone() })
  const demo = await call<DemoData>('/api/projects/1/demo_data', 'POST')
  page = `/project/1/dashboards/${demo.dashboard_id}`
  const link = `${url}/demo?token=${token}`
  const lines = [
    `Hedgerow is ready at ${url}`,
    '',
    `Open the demo:  ${link}`,
    `  sign-in   ${email}`,
    `  password  ${password}`,
    `  API key   ${apiKey}`,
    '',
    'Press Ctrl-C to end the demo and delete its data.',
  ]
  print(format, { url, link, email, password, value: apiKey }, lines.join('\n'))
  if (open && hasDisplay()) openBrowser(link)
  let isStopping = false
  for (const signal of ['SIGINT', 'SIGTERM'] as const) {
    process.once(signal, () => {
      isStopping = true
    })
  }
  // the page shows the events as they arrive
  await fillDashboards(call, demo).catch((error) => {
    if (!isStopping) throw error
  })
}

/**
 * Returns settings for a temporary folder, which is deleted when the process exits, and a free port. Settings of an
 * installation, such as its database, mail or backups, do not apply.
 */
async function toDemoConfig({ host, port, requireSandbox, appUsers }: Config): Promise<Config> {
  const isFree = await requireFreeAddress({ host, port }).then(
    () => true,
    () => false,
  )
  const dataFolder = mkdtempSync(join(tmpdir(), 'hedgerow-demo-'))
  process.on('exit', () => rmSync(dataFolder, { recursive: true, force: true }))
  process.on('SIGHUP', () => process.kill(process.pid, 'SIGTERM')) // the terminal was closed
  const address = { host, port: isFree ? port : 0 }
  return {
    ...readConfig({}),
    ...address,
    requireSandbox,
    appUsers,
    dataFolder,
    logLevel: 'warn',
  }
}

/** Adds the link that signs in as the owner and leads to the dashboard. */
function addSignIn(app: FastifyInstance, db: Db, token: string, page: () => string): void {
  app.get<{ Querystring: { token?: string } }>(
    '/demo',
    { config: { scope: 'public' }, schema: { hide: true } },
    async (request, reply) => {
      if (request.query.token !== token) throw notFound('Page')
      await startSession(db, reply, 1)
      return reply.redirect(page())
    },
  )
}

const POLL_MS = 100

/** Returns the zone of this machine, which is most likely that of the browser. */
const machineZone = (): string => Intl.DateTimeFormat().resolvedOptions().timeZone || 'UTC'

type Call = <T>(path: string, method?: string, body?: object) => Promise<T>

const createClient =
  (url: string, key: string): Call =>
  async <T>(path: string, method = 'GET', body?: object) => {
    const authorization = `Bearer ${key}`
    const sent = body
      ? {
          headers: { authorization, 'content-type': 'application/json' },
          body: JSON.stringify(body),
        }
      : { headers: { authorization } }
    const response = await fetch(url + path, { method, ...sent })
    if (response.ok) return (await response.json()) as T
    throw new OperatorError(`The demo data could not be loaded: ${await response.text()}`)
  }

/** Follows the import, then computes the results of the dashboards, the one that opens first. */
async function fillDashboards(call: Call, demo: DemoData): Promise<void> {
  const { config_id, dashboard_ids, run } = demo
  const path = `/api/projects/1/pipeline_import_apps_configs/${config_id}/runs/${run.id}`
  const showProgress = process.stderr.isTTY ? createProgressPrinter('events') : () => {}
  let shown = 0
  for (;;) {
    const { state, message, progress } = await call<Run>(path)
    if (progress.total && progress.done > shown) showProgress(progress.done, progress.total)
    shown = progress.done
    if (state === 'succeeded') break
    if (state === 'failed') throw new OperatorError(`The demo data could not be loaded: ${message}`)
    await sleep(POLL_MS)
  }
  for (const id of dashboard_ids)
    await call(`/api/environments/1/dashboards/${id}?refresh=blocking`)
}

/** Opens a page in the user's browser. The page was printed too, so it does not matter if there is none. */
function openBrowser(url: string): void {
  const command = process.platform === 'darwin' ? 'open' : 'xdg-open'
  const child = spawn(command, [url], { stdio: 'ignore', detached: true })
  child.on('error', () => {})
  child.unref()
}
