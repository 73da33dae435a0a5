import { once } from 'node:events'
import { Agent, createServer, type IncomingMessage, request, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { buffer } from 'node:stream/consumers'
import { onTestFinished } from 'vitest'

/** Ways to notice that a server stops: by its readiness, as most load balancers do, or by refused connections, as nginx. */
export type Noticing = 'readiness' | 'refusals'

const HEALTH_INTERVAL_MS = 250
/**
 * The time for which a server that refused a connection gets no request; nginx has 10 s. Longer than a stopping server
 * keeps idle connections open, because a request on one that is just being closed would be reset.
 */
const RETRY_AFTER_MS = 5000

export interface Proxy {
  readonly url: string
  /** The number of requests that each server was sent, in the order of the URLs. */
  counts(): number[]
  isUp(url: string): boolean
}

interface Target {
  readonly url: string
  readonly agent: Agent
  isUp: boolean
  count: number
}

/**
 * Starts a proxy that sends each request to the next server, by turns on a kept-alive connection and on a new one. It
 * repeats no request: only a refused connection, on which nothing was sent, leads to the next server, if at all.
 */
export async function startProxy(urls: readonly string[], noticing: Noticing): Promise<Proxy> {
  const targets = urls.map(
    (url): Target => ({ url, agent: new Agent({ keepAlive: true }), isUp: true, count: 0 }),
  )
  let turn = 0
  const next = (): Target | undefined => {
    turn++
    const order = targets.map((_, index) => targets[(turn + index) % targets.length] as Target)
    return order.find(({ isUp }) => isUp)
  }

  async function pass(incoming: IncomingMessage, outgoing: ServerResponse): Promise<void> {
    const body = await buffer(incoming)
    for (let target = next(); target; target = next()) {
      const sent = request(target.url + incoming.url, {
        agent: turn % 2 === 0 && target.agent,
        method: incoming.method,
        headers: incoming.headers,
      })
      try {
        const [response] = (await once(sent.end(body), 'response')) as [IncomingMessage]
        target.count++
        const { connection: _, 'keep-alive': __, ...headers } = response.headers
        outgoing.writeHead(response.statusCode as number, headers).end(await buffer(response))
        return
      } catch (error) {
        const { code } = error as NodeJS.ErrnoException
        if (noticing !== 'refusals' || code !== 'ECONNREFUSED') {
          const connection = sent.reusedSocket ? 'a kept-alive connection' : 'a new connection'
          throw new Error(`${code} on ${connection}`)
        }
        markDown(target)
      }
    }
    throw new Error('no server is up')
  }

  const server = createServer((incoming, outgoing) => {
    pass(incoming, outgoing).catch(({ message }) => outgoing.writeHead(502).end(message))
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const checks =
    noticing === 'readiness' ? setInterval(() => targets.map(check), HEALTH_INTERVAL_MS) : undefined
  onTestFinished(() => {
    clearInterval(checks)
    server.close()
    server.closeAllConnections()
    for (const { agent } of targets) agent.destroy()
  })
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    counts: () => targets.map(({ count }) => count),
    isUp: (url) => targets.some((target) => target.url === url && target.isUp),
  }
}

function markDown(target: Target): void {
  target.isUp = false
  setTimeout(() => {
    target.isUp = true
  }, RETRY_AFTER_MS).unref()
}

async function check(target: Target): Promise<void> {
  const headers = { connection: 'close' }
  target.isUp = await fetch(`${target.url}/_ready`, { headers }).then(
    ({ ok }) => ok,
    () => false,
  )
}
