import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { readdirSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

const ROOT = fileURLToPath(new URL('..', import.meta.url))
export const SERVER_CORE = '0'
export const LOAD_CORE = '1'

export interface Running {
  readonly url: string
  readonly pid: number
  stop(): Promise<void>
}

/** Pins the server and the load to one core each, where the system supports it. */
export const pinned = (core: string, command: readonly string[]): string[] => [
  ...(isPinned ? ['taskset', '-c', core] : []),
  ...command,
]

/** Tells whether the system can pin processes to cores. */
export const isPinned = (() => {
  try {
    execFileSync('taskset', ['-c', SERVER_CORE, 'true'])
    return true
  } catch {
    return false
  }
})()

const SERVE = [process.execPath, 'bin/hedgerow.mjs', 'serve']
const settings = (dataFolder: string) => ({
  HEDGEROW_DATA: dataFolder,
  HEDGEROW_PORT: '0',
  HEDGEROW_LOG_LEVEL: 'warn',
})

export const startHedgerow = (dataFolder: string, databaseUrl = ''): Promise<Running> =>
  start(SERVE, { ...settings(dataFolder), ...(databaseUrl && { DATABASE_URL: databaseUrl }) })

/** Starts one of several servers on a core. It runs no apps. */
export function startHedgerowOn(
  core: number,
  dataFolder: string,
  databaseUrl: string,
): Promise<Running> {
  const command = pinned(String(core), [...SERVE, '--no-worker'])
  return launch(command, { ...settings(dataFolder), DATABASE_URL: databaseUrl })
}

/** Runs on every core, because apps have their own processes. */
export const startHedgerowForApps = (dataFolder: string, databaseUrl = ''): Promise<Running> =>
  launch(SERVE, {
    ...settings(dataFolder),
    ...(databaseUrl && { DATABASE_URL: databaseUrl }),
    HEDGEROW_APP_HOSTS: '127.0.0.1',
  })

/** Starts a server that keeps its events in ClickHouse. */
export const startHedgerowOnClickHouse = (
  dataFolder: string,
  databaseUrl: string,
  eventsUrl: string,
): Promise<Running> =>
  launch(SERVE, { ...settings(dataFolder), DATABASE_URL: databaseUrl, EVENTS_URL: eventsUrl })

export const startBare = (answersFile: string): Promise<Running> =>
  start([process.execPath, 'bench/bare.ts', answersFile], {})

/** Starts a server on the servers' core and waits for its address. */
export const start = (command: string[], env: Record<string, string> = {}): Promise<Running> =>
  launch(pinned(SERVER_CORE, command), env)

export async function launch(command: string[], env: Record<string, string>): Promise<Running> {
  const [program = '', ...args] = command
  const child = spawn(program, args, {
    cwd: ROOT,
    env: { ...process.env, ...env },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const url = await new Promise<string>((resolve, reject) => {
    child.once('exit', (code) => reject(new Error(`${command.join(' ')} ended with ${code}`)))
    child.stdout.on('data', (chunk) => {
      const found = /ready at (\S+)/.exec(String(chunk))?.[1]
      if (found) resolve(found)
    })
  })
  return toRunning(child, url)
}

export const toRunning = (child: ChildProcess, url: string): Running => ({
  url,
  pid: child.pid as number,
  async stop() {
    const ended = once(child, 'exit')
    child.kill('SIGTERM')
    await ended
  },
})

/** Runs a script on the load's core and returns its result. */
export async function runLoad<T>(script: string, load: object): Promise<T> {
  const command = pinned(LOAD_CORE, [process.execPath, script, JSON.stringify(load)])
  const [program = '', ...args] = command
  const child = spawn(program, args, { cwd: ROOT, stdio: ['ignore', 'pipe', 'inherit'] })
  let output = ''
  child.stdout.on('data', (chunk) => {
    output += chunk
  })
  const [code] = await once(child, 'close')
  if (code !== 0) throw new Error(`the load ended with ${code}`)
  return JSON.parse(output)
}

/** Resident memory in MB, where the system reports it. */
export const memoryOf = (pid: number): number => readMemory(pid, 'VmRSS')

/** The largest resident memory so far. */
export const peakMemoryOf = (pid: number): number => readMemory(pid, 'VmHWM')

const readMemory = (pid: number, name: string): number =>
  Number(new RegExp(`${name}:\\s+(\\d+)`).exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]) /
  1024

/** The kernel's unit of CPU time in /proc, on every Linux. */
const TICKS_PER_SECOND = 100

/** Seconds of CPU time of a process and its threads, where the system reports it; otherwise NaN. */
export const cpuSecondsOf = (pid: number): number => readStat(pid)?.seconds ?? Number.NaN

/** Seconds of CPU time of the parent of a process and of all its children, such as PostgreSQL's processes. */
export function cpuSecondsAround(pid: number): number {
  const parent = readStat(pid)?.parent
  if (parent === undefined) return Number.NaN
  const { seconds = Number.NaN, ofEnded = 0 } = readStat(parent) ?? {}
  const children = readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .map((name) => readStat(Number(name)))
    .filter((stat) => stat?.parent === parent)
  return children.reduce((sum, child) => sum + (child?.seconds ?? 0), seconds + ofEnded)
}

interface Stat {
  readonly parent: number
  readonly seconds: number
  /** The CPU time of children that have ended. */
  readonly ofEnded: number
}

function readStat(pid: number): Stat | undefined {
  try {
    const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]?.split(' ') ?? []
    const toSeconds = (first: number) =>
      (Number(fields[first]) + Number(fields[first + 1])) / TICKS_PER_SECOND
    return { parent: Number(fields[1]), seconds: toSeconds(11), ofEnded: toSeconds(13) }
  } catch {
    return undefined
  }
}
