import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { setTimeout as wait } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import type { Pauses } from './abuse-probe.ts'
import { memoryOf, type Running } from './processes.ts'
import { BENCH_KEY } from './seed.ts'

const ROOT = fileURLToPath(new URL('..', import.meta.url))
const SAMPLE_MS = 20
/** A response within this time is normal service. */
const NORMAL_MS = 100

export interface Watched extends Running {
  readonly token: string
  pauses(): Promise<Pauses>
}

export interface Figures extends Pauses {
  /** MB above the memory before. */
  readonly growth: number
  readonly healthP99: number
  /** ms from the end of the abuse until requests are answered as before. */
  readonly recovery: number
}

/** Starts a server that reports the pauses of its event loop. */
export async function startWatched(dataFolder: string): Promise<Watched> {
  const probe = new URL('./abuse-probe.ts', import.meta.url).href
  const child = spawn(process.execPath, ['--import', probe, 'bin/hedgerow.mjs', 'serve'], {
    cwd: ROOT,
    env: {
      ...process.env,
      HEDGEROW_DATA: dataFolder,
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
      const answer = once(child, 'message')
      child.send('pauses')
      return (await answer)[0] as Pauses
    },
    async stop() {
      const ended = once(child, 'exit')
      child.kill('SIGTERM')
      await ended
    },
  }
}

async function addressOf(child: ChildProcess): Promise<string> {
  for (;;) {
    const [chunk] = await once(child.stdout as NodeJS.ReadableStream, 'data')
    const found = /ready at (\S+)/.exec(String(chunk))?.[1]
    if (found) return found
  }
}

/** Measures the server while `abuse` runs, and how long it takes to serve as before afterwards. */
export async function watchDuring(
  server: Watched,
  abuse: () => Promise<unknown>,
): Promise<Figures> {
  await serveNormally(server)
  await wait(500)
  await server.pauses()
  const before = memoryOf(server.pid)
  const health = pollHealth(server)
  const memory = sampleMemory(server.pid)
  await abuse()
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

/** Asks at a fixed rate, whether or not earlier requests were answered. */
function pollHealth({ url }: Running) {
  const times: number[] = []
  const pending = new Set<Promise<unknown>>()
  const timer = setInterval(() => {
    const began = performance.now()
    const asked = fetch(`${url}/_health`)
      .then((response) => response.arrayBuffer())
      .catch(() => {})
      .then(() => {
        times.push(performance.now() - began)
        pending.delete(asked)
      })
    pending.add(asked)
  }, SAMPLE_MS)
  return {
    async stop(): Promise<number> {
      clearInterval(timer)
      await Promise.all(pending)
      return times.toSorted((a, b) => a - b)[Math.floor(times.length * 0.99)] ?? 0
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
