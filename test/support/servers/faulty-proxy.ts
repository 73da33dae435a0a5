import { once } from 'node:events'
import { createServer, type IncomingMessage, request, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { buffer } from 'node:stream/consumers'
import { onTestFinished } from 'vitest'

/**
 * The fate of a request: it is passed on, its connection is cut before that or instead of the response, or it gets no
 * response.
 */
export type Fate = 'pass' | 'cut' | 'lose response' | 'hold'

export interface FaultyProxy {
  /** `host:port`. */
  readonly host: string
  /** Decides on a request by its statement. The URL's parameters can be changed. */
  decide(decision: (statement: string, url: URL) => Fate): void
}

/** Starts a proxy in front of an HTTP server that can fail in chosen ways. */
export async function startFaultyProxy(target: string): Promise<FaultyProxy> {
  let decide: (statement: string, url: URL) => Fate = () => 'pass'

  async function pass(incoming: IncomingMessage, outgoing: ServerResponse): Promise<void> {
    const body = await buffer(incoming)
    const url = new URL(incoming.url as string, target)
    const fate = decide(url.searchParams.get('query') ?? body.toString(), url)
    if (fate === 'cut') return void incoming.socket.destroy()
    if (fate === 'hold') return
    const { host: _, 'transfer-encoding': __, ...headers } = incoming.headers
    const sent = request(url, { method: incoming.method as string, headers }).end(body)
    const [response] = (await once(sent, 'response')) as [IncomingMessage]
    const answer = await buffer(response)
    if (fate === 'lose response') return void incoming.socket.destroy()
    const { 'transfer-encoding': ___, ...others } = response.headers
    outgoing.writeHead(response.statusCode as number, others).end(answer)
  }

  const server = createServer((incoming, outgoing) => {
    pass(incoming, outgoing).catch(() => incoming.socket.destroy())
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  const { port } = server.address() as AddressInfo
  return {
    host: `127.0.0.1:${port}`,
    decide(decision) {
      decide = decision
    },
  }
}
