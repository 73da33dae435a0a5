import { requireFreeAddress } from '../listen.ts'
import { bad, type Check, good } from './check.ts'

const ANSWER_WITHIN_MS = 2000

/** Either a server of ours answers at the address, or one could. */
export async function checkServer(host: string, port: number): Promise<Check> {
  if (port === 0) return good('server', 'takes a free port when it starts')
  const url = `http://${toReachable(host)}:${port}`
  try {
    const signal = AbortSignal.timeout(ANSWER_WITHIN_MS)
    const { status } = await fetch(`${url}/_ready`, { signal })
    if (status === 200) return good('server', `answers at ${url}`)
    return bad('server', `What answers at ${url} is not ready (${status}): see its log.`)
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

/** To listen on every address is to be reached on this machine's own. */
function toReachable(host: string): string {
  if (host === '0.0.0.0') return '127.0.0.1'
  if (host === '::') return '[::1]'
  return host.includes(':') ? `[${host}]` : host
}
