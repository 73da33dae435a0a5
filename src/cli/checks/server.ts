import { requireFreeAddress } from '../listen.ts'
import { bad, type Check, good } from './check.ts'

const TIMEOUT_MS = 2000

/** Checks that a server is ready at the address, or that the address is free. */
export async function checkServer(host: string, port: number): Promise<Check> {
  if (port === 0) return good('server', 'picks a free port at start')
  const url = `http://${toReachable(host)}:${port}`
  try {
    const signal = AbortSignal.timeout(TIMEOUT_MS)
    const { status } = await fetch(`${url}/_ready`, { signal })
    if (status === 200) return good('server', `running at ${url}`)
    return bad('server', `The server at ${url} is not ready (${status}). See its log.`)
  } catch {
    return checkAddress(host, port)
  }
}

async function checkAddress(host: string, port: number): Promise<Check> {
  try {
    await requireFreeAddress({ host, port })
    return good('server', `not running; port ${port} on ${host} is free`)
  } catch (error) {
    return bad('server', (error as Error).message)
  }
}

/** Maps the wildcard addresses to loopback. */
function toReachable(host: string): string {
  if (host === '0.0.0.0') return '127.0.0.1'
  if (host === '::') return '[::1]'
  return host.includes(':') ? `[${host}]` : host
}
