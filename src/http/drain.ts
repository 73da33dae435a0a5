import type { Server } from 'node:http'
import { Server as NetServer } from 'node:net'
import { setImmediate as nextTurn, setTimeout } from 'node:timers/promises'

/**
 * Clients that send a request on an open connection within this time get a response, which closes the connection. Half a
 * second of the 4 s that a stop may take is left for requests that arrive last.
 */
const GRACE_MS = 3500
const POLL_MS = 20

/**
 * Accepts no more connections and waits, for a limited time, until each open one has had its last response.
 * `server.close()` alone closes idle connections immediately, which would reset requests that are just arriving.
 */
export async function drainConnections(server: Server): Promise<void> {
  NetServer.prototype.close.call(server)
  const deadline = performance.now() + GRACE_MS
  while ((await countConnections(server)) > 0) {
    if (performance.now() >= deadline) {
      await nextTurn() // reads what has arrived, so that only connections without a request are idle
      server.closeIdleConnections()
      return
    }
    await setTimeout(POLL_MS)
  }
}

function countConnections(server: Server): Promise<number> {
  const { promise, resolve } = Promise.withResolvers<number>()
  server.getConnections((_error, count) => resolve(count ?? 0))
  return promise
}
