import { execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { drive } from './processes.ts'
import type { Request } from './scenarios.ts'
import { BENCH_KEY } from './seed.ts'

export interface SimpleLoad {
  readonly url: string
  readonly request: Request
  readonly connections: number
  readonly seconds: number
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
 * Sends one request again and again and returns the requests per second. Uses wrk where it is installed, because it
 * leaves more CPU time to the servers.
 */
export async function sendRepeatedly(load: SimpleLoad): Promise<number> {
  if (hasWrk) return runWrk(load)
  const { url, request, connections, seconds } = load
  const requests = [request]
  return (await drive({ url, key: BENCH_KEY, requests, connections, seconds })).rate
}

async function runWrk({ url, request, connections, seconds }: SimpleLoad): Promise<number> {
  const folder = await mkdtemp(join(tmpdir(), 'hedgerow-wrk-'))
  try {
    const script = join(folder, 'request.lua')
    await writeFile(script, toLua(request))
    const options = ['-t1', `-c${connections}`, `-d${seconds}s`, '-s', script]
    const child = spawn('wrk', [...options, url + request.path], {
      stdio: ['ignore', 'pipe', 'inherit'],
    })
    const [output] = await Promise.all([text(child.stdout), once(child, 'close')])
    const rate = /^Requests\/sec:\s+([\d.]+)$/m.exec(output)?.[1]
    if (rate === undefined || /Non-2xx|Socket errors/.test(output)) {
      throw new Error(`Requests to ${url} failed: ${output}`)
    }
    return Number(rate)
  } finally {
    await rm(folder, { recursive: true })
  }
}

function toLua({ method, headers, body }: Request): string {
  const all = { ...headers, authorization: `Bearer ${BENCH_KEY}`, accept: 'application/json' }
  return [
    `wrk.method = "${method}"`,
    ...Object.entries(all).map(([name, value]) => `wrk.headers["${name}"] = "${value}"`),
    ...(body === undefined ? [] : [`wrk.body = [==[${body}]==]`]),
  ].join('\n')
}
