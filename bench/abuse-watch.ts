import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { text } from 'node:stream/consumers'
import { setTimeout as wait } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import type { Target } from './abuse-load.ts'
import type { Pauses } from './abuse-probe.ts'
import { launch, memoryOf, type Running } from './processes.ts'
import { BENCH_KEY } from './seed.ts'

const ROOT = fileURLToPath(new URL('..', import.meta.url))
const SAMPLE_MS = 20
/** After this time, the server has collected the garbage of its start. */
const START_UP_MS = 2000
/** A response within this time is normal service. */
const NORMAL_MS = 100

export interface Watched extends Running, Target {
  pauses(): Promise<Pauses>
}

export interface Figures extends Pauses {
  /** MB above the memory before. */
  readonly growth: number
  readonly healthP99: number
  /** ms from the end of the abuse until response times are normal again. */
  readonly recovery: number
}

/** Starts a server that reports the pauses of its event loop. */
export async function startWatched(dataFolder: string, databaseUrl?: string): Promise<Watched> {
  const probe = new URL('./abuse-probe.ts', import.meta.url).href
  const child = spawn(process.execPath, ['--import', probe, 'bin/hedgerow.mjs', 'serve'], {
    cwd: ROOT,
    env: {
      ...process.env,
      HEDGEROW_DATA: dataFolder,
      ...(databaseUrl && { DATABASE_URL: databaseUrl }),
      HEDGEROW_PORT: '0',
      HEDGEROW_LOG_LEVEL: 'silent',
      HEDGEROW_APP_HOSTS: '127.0.0.1',
    },
    stdio: ['ignore', 'pipe', 'inherit', 'ipc'],
  })
  const url = await addressOf(child)
  const headers = { authorization: `Bearer ${BENCH_KEY}` }
  const project = await (await fetch(`${url}/api/projects/1`, { headers })).json()
  return {
    url,
    pid: child.pid as number,
    token: (project as { api_token: string }).api_token,
    async pauses() {
      const reply = once(child, 'message')
      child.send('pauses')
      return (await reply)[0] as Pauses
    },
    async stop() {
      const ended = once(child, 'exit')
      child.kill('SIGTERM')
      await ended
    },
  }
}

/** Starts a server that only responds. */
export const startFloor = (): Promise<Running> =>
  launch([process.execPath, 'bench/abuse-floor.ts'], {})

async function addressOf(child: ChildProcess): Promise<string> {
  for (;;) {
    const [chunk] = await once(child.stdout as NodeJS.ReadableStream, 'data')
    const found = /ready at (\S+)/.exec(String(chunk))?.[1]
    if (found) return found
  }
}

/** Measures the server during the abuse, and how long it takes to recover. */
export async function watchDuring(server: Watched, name: string): Promise<Figures> {
  await untilNormal(server) // the first request opens storage and compiles code
  await wait(START_UP_MS)
  await server.pauses()
  const before = memoryOf(server.pid)
  const health = pollHealth(server)
  const memory = sampleMemory(server.pid)
  await runAbuse(name, server)
  const ended = performance.now()
  await untilNormal(server)
  const recovery = performance.now() - ended
  const pauses = await server.pauses()
  return {
    ...pauses,
    growth: memory.stop() - before,
    healthP99: await health.stop(),
    recovery,
  }
}

/** Measures how fast a server responds that does nothing else. */
export async function watchFloor({ url }: Running, name: string): Promise<number> {
  const health = pollHealth({ url })
  await runAbuse(name, { url, token: 'none' })
  return health.stop()
}

/**
 * Runs the abuse in a process of the lowest priority: real attackers have their own processors and do not slow down the
 * server's.
 */
async function runAbuse(name: string, { url, token }: Target): Promise<void> {
  const task = JSON.stringify({ name, target: { url, token } })
  const command = ['-n', '19', process.execPath, 'bench/abuse-load.ts', task]
  const child = spawn('nice', command, { cwd: ROOT, stdio: ['ignore', 'ignore', 'inherit'] })
  const [code] = await once(child, 'exit')
  if (code !== 0) throw new Error(`the abuse ended with ${code}`)
}

function pollHealth({ url }: Pick<Running, 'url'>) {
  const child = spawn(process.execPath, ['bench/abuse-health.ts', url], {
    cwd: ROOT,
    stdio: ['pipe', 'pipe', 'inherit'],
  })
  return {
    async stop(): Promise<number> {
      child.stdin.end()
      return JSON.parse(await text(child.stdout))
    },
  }
}

function sampleMemory(pid: number) {
  let peak = 0
  const timer = setInterval(() => {
    peak = Math.max(peak, memoryOf(pid))
  }, SAMPLE_MS)
  return {
    stop(): number {
      clearInterval(timer)
      return peak
    },
  }
}

async function untilNormal(server: Watched): Promise<void> {
  for (;;) {
    const began = performance.now()
    const isServed = await serveNormally(server)
    if (isServed && performance.now() - began <= NORMAL_MS) return
    await wait(10)
  }
}

/** Reads a dashboard and captures an event, as any user would. */
async function serveNormally({ url, token }: Watched): Promise<boolean> {
  const authorization = `Bearer ${BENCH_KEY}`
  const read = fetch(`${url}/api/environments/1/dashboards/1`, { headers: { authorization } })
  const captured = fetch(`${url}/capture`, {
    method: 'POST',
    body: JSON.stringify({ api_key: token, event: 'visited', distinct_id: 'ada' }),
  })
  const responses = await Promise.all([read, captured])
  await Promise.all(responses.map((response) => response.arrayBuffer()))
  return responses.every(({ ok }) => ok)
}
