import { execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { LOAD_CORE, pinned, runLoad } from './processes.ts'
import type { Request } from './scenarios.ts'
import { BENCH_KEY } from './seed.ts'

export interface Load {
  readonly url: string
  /** Sent one after another, again and again. */
  readonly requests: readonly Request[]
  readonly connections: number
  readonly seconds: number
  /** Requests per second; undefined means as many as possible. */
  readonly rate?: number
  /** Runs on any core instead of the load's own. */
  readonly isUnpinned?: boolean
}

export interface Seen {
  readonly rate: number
  /** In milliseconds. */
  readonly p99: number
}

const hasWrk = (() => {
  try {
    execFileSync('which', ['wrk'])
    return true
  } catch {
    return false
  }
})()

/** The name of the generator. */
export const GENERATOR = hasWrk ? 'wrk' : 'autocannon'

/**
 * Drives one server. Uses wrk where it is installed: autocannon itself takes longer for a request than a server that
 * only sends bytes, so the faster of two servers would wait for it. Only autocannon can limit the rate.
 */
export async function drive(load: Load): Promise<Seen> {
  if (hasWrk && load.rate === undefined) return runWrk(load)
  const { failures, ...seen } = await runLoad<Seen & { failures: number }>('bench/load.ts', {
    ...load,
    key: BENCH_KEY,
  })
  if (failures > 0) throw new Error(`${failures} requests to ${load.url} failed`)
  return seen
}

async function runWrk({ url, requests, connections, seconds, isUnpinned }: Load): Promise<Seen> {
  const folder = await mkdtemp(join(tmpdir(), 'hedgerow-wrk-'))
  try {
    const script = join(folder, 'requests.lua')
    await writeFile(script, toLua(requests))
    const options = ['-t1', `-c${connections}`, `-d${seconds}s`, '--latency', '-s', script, url]
    const command = ['wrk', ...options]
    const [program = '', ...args] = isUnpinned ? command : pinned(LOAD_CORE, command)
    const child = spawn(program, args, { stdio: ['ignore', 'pipe', 'inherit'] })
    const [output] = await Promise.all([text(child.stdout), once(child, 'close')])
    return readOutput(output, url)
  } finally {
    await rm(folder, { recursive: true })
  }
}

const MS_PER_UNIT: Readonly<Record<string, number>> = { us: 0.001, ms: 1, s: 1000, m: 60_000 }

function readOutput(output: string, url: string): Seen {
  const rate = /^Requests\/sec:\s+([\d.]+)$/m.exec(output)?.[1]
  const [, p99, unit = ''] = /^\s+99%\s+([\d.]+)(us|ms|s|m) *$/m.exec(output) ?? []
  if (rate === undefined || p99 === undefined || /Non-2xx|Socket errors/.test(output)) {
    throw new Error(`Requests to ${url} failed: ${output}`)
  }
  return { rate: Number(rate), p99: Number(p99) * (MS_PER_UNIT[unit] ?? Number.NaN) }
}

/** Stands in a body for a hexadecimal number that differs in each request. Only wrk replaces it. */
export const NUMBER = 'N'.repeat(12)

/** Formats all requests before the load begins. Numbers begin above those of earlier loads, by the time. */
const toLua = (requests: readonly Request[]): string => `
local requests = {}
local number = ${Date.now() * 64}
function init()
${requests.map((request, index) => `  requests[${index + 1}] = ${toLuaRequest(request)}`).join('\n')}
end
local sent = 0
function request()
  sent = sent % #requests + 1
  ${requests.some(({ body }) => body?.includes(NUMBER)) ? NUMBERED : 'return requests[sent]'}
end
`

const NUMBERED = `number = number + 1
  return (requests[sent]:gsub('${NUMBER}', string.format('%0${NUMBER.length}x', number)))`

function toLuaRequest({ method, path, headers, body }: Request): string {
  const all = { ...headers, authorization: `Bearer ${BENCH_KEY}`, accept: 'application/json' }
  const pairs = Object.entries(all).map(([name, value]) => `[ ${quote(name)} ] = ${quote(value)}`)
  const parts = [quote(method), quote(path), `{ ${pairs.join(', ')} }`]
  return `wrk.format(${[...parts, ...(body === undefined ? [] : [quote(body)])].join(', ')})`
}

const quote = (text: string): string => `[==[${text}]==]`
