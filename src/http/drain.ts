import type { Server } from 'node:http'
import { Server as NetServer } from 'node:net'
import { setTimeout } from 'node:timers/promises'

/** Clients send their next request on an open connection within this time, and its response closes the connection. */
const GRACE_MS = 1000
const POLL_MS = 20

/**
 * Accepts no more connections and waits, for a limited time, until clients have closed theirs. `server.close()` alone
 * closes idle connections immediately, which would reset requests that are just arriving.
 */
export async function drainConnections(server: Server): Promise<void> {
  NetServer.prototype.close.call(server)
  const deadline = performance.now() + GRACE_MS
  while (performance.now() < deadline && (await countConnections(server)) > 0) {
    await setTimeout(POLL_MS)
  }
}

function countConnections(server: Server): Promise<number> {
  const { promise, resolve } = Promise.withResolvers<number>()
  server.getConnections((_error, count) => resolve(count ?? 0))
  return promise
}
