import { type ChildProcess, execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdir, writeFile } from 'node:fs/promises'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { setTimeout as wait } from 'node:timers/promises'
import { promisify } from 'node:util'
import { runNpm, USER_ENV } from '../test/support/app/npm.ts'
import { pinned, type Running, SERVER_CORE, toRunning } from './processes.ts'
import { BENCH_KEY } from './seed.ts'

/** The version that is compared. */
export const DIRECTUS = '12.4.0'

const PANELS = 6
/** The command without its check for updates, which waits for the registry. */
const CLI = 'node_modules/@directus/api/dist/cli/run.js'
const DATABASE = 'data.db'

const run = promisify(execFile)

/** Names the folders of an installation and of its data. */
export interface Directus {
  readonly installed: string
  readonly data: string
}

/** Installs Directus as users do, which takes minutes where npm has to build its native packages. */
export async function installDirectus(folder: string): Promise<void> {
  await mkdir(folder)
  await writeFile(join(folder, 'package.json'), '{"private":true}')
  await runNpm(['install', `directus@${DIRECTUS}`], folder)
}

/** The Node of the machine runs Directus, because its native packages are built for that. */
export async function readNodeVersion(): Promise<string> {
  const { stdout } = await run('node', ['--version'], { env: USER_ENV })
  return stdout.trim()
}

/** Creates the database with as many dashboards as `seed` does, of six panels each. */
export async function seedDirectus(
  { installed, data }: Directus,
  dashboards: number,
): Promise<void> {
  await mkdir(data)
  await run('node', [join(installed, CLI), 'bootstrap'], { cwd: data, env: settings(0) })
  const database = new DatabaseSync(join(data, DATABASE))
  const at = Date.now()
  const dashboard = database.prepare(
    'insert into directus_dashboards (id, name, icon, note, date_created) values (?, ?, ?, ?, ?)',
  )
  const panel = database.prepare(
    `insert into directus_panels
    (id, dashboard, name, color, show_header, type, position_x, position_y, width, height, options, date_created)
    values (?, ?, ?, ?, 1, ?, ?, ?, 12, 10, ?, ?)`,
  )
  database.exec('begin')
  for (let number = 1; number <= dashboards; number++) {
    const id = toDashboardId(number)
    dashboard.run(id, `Dashboard ${number}`, 'dashboard', 'Weekly numbers', at)
    for (let index = 0; index < PANELS; index++) {
      const place = [(index % 2) * 12 + 1, Math.floor(index / 2) * 10 + 1] as const
      const name = `Panel ${number * PANELS + index}`
      const options = index === 0 ? TEXT : CHART
      const type = index === 0 ? 'label' : 'time-series'
      panel.run(crypto.randomUUID(), id, name, '#2196F3', type, ...place, options, at)
    }
  }
  database.exec('commit')
  database.close()
}

export const toDashboardId = (number: number): string =>
  `00000000-0000-4000-8000-${String(number).padStart(12, '0')}`

/** Options of panels, about as long as the tiles of `seed`. */
const TEXT = JSON.stringify({ text: '## What this shows\n\nThe numbers of the week.' })
const CHART = JSON.stringify({
  collection: 'events',
  function: 'count',
  dateField: 'timestamp',
  valueField: 'id',
  range: '30 days',
  precision: 'day',
  showXAxis: true,
  showYAxis: true,
  filter: { _and: [{ event: { _eq: '$pageview' } }] },
})

/** Starts the server on the servers' core, and waits until it responds. */
export async function startDirectus({ installed, data }: Directus): Promise<Running> {
  const port = await findPort()
  const [program = '', ...args] = pinned(SERVER_CORE, ['node', join(installed, CLI), 'start'])
  const child = spawn(program, args, {
    cwd: data,
    env: settings(port),
    stdio: ['ignore', 'ignore', 'inherit'],
  })
  const url = `http://127.0.0.1:${port}`
  while (!(await isReady(url))) {
    if (hasEnded(child)) throw new Error(`Directus ended with ${child.exitCode}.`)
    await wait(5)
  }
  return toRunning(child, url)
}

/** Caches in memory as ours does, and lets requests pass the cache by `Cache-Control: no-store`. */
const settings = (port: number): NodeJS.ProcessEnv => ({
  ...USER_ENV,
  HOST: '127.0.0.1',
  PORT: String(port),
  PUBLIC_URL: `http://127.0.0.1:${port}`,
  SECRET: 'a-secret-of-the-benchmark-that-nobody-guesses',
  DB_CLIENT: 'sqlite3',
  DB_FILENAME: DATABASE,
  ADMIN_EMAIL: 'bench@example.com',
  ADMIN_PASSWORD: 'bench-bench',
  ADMIN_TOKEN: BENCH_KEY,
  CACHE_ENABLED: 'true',
  CACHE_STORE: 'memory',
  CACHE_AUTO_PURGE: 'true',
  CACHE_SKIP_ALLOWED: 'true',
  PRESSURE_LIMITER_ENABLED: 'false',
  TELEMETRY: 'false',
  LOG_LEVEL: 'error',
})

const isReady = (url: string): Promise<boolean> =>
  fetch(`${url}/server/ping`).then(
    ({ ok }) => ok,
    () => false,
  )

const hasEnded = ({ exitCode, signalCode }: ChildProcess): boolean =>
  exitCode !== null || signalCode !== null

async function findPort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as { port: number }
  server.close()
  await once(server, 'close')
  return port
}
