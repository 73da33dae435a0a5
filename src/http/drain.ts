import type { Server } from 'node:http'
import { Server as NetServer } from 'node:net'
import { setImmediate as nextTurn, setTimeout } from 'node:timers/promises'

/** Clients that never stop connecting must not keep the server from stopping. */
const ACCEPT_MS = 500
/** A turn of the event loop that takes less leaves connections no time to arrive. */
const QUIET_TURN_MS = 1
/**
 * Clients that send a request on an open connection within this time get a response, which closes the connection. Of the
 * 4 s that a stop may take, half a second is left for requests that arrive last.
 */
const GRACE_MS = 3000
const POLL_MS = 20

/**
 * Accepts the connections that wait, and then no more. The system has completed those that wait, so their clients have
 * sent requests, and closing the server resets them: 28 to 62 of 100 clients that connect for each request. Node accepts
 * one connection in each turn of the event loop. Responses must still keep connections open, or all clients would connect
 * again meanwhile.
 */
export async function stopListening(server: Server): Promise<void> {
  const deadline = performance.now() + ACCEPT_MS
  let isQuiet = false
  const note = () => {
    isQuiet = false
  }
  server.on('connection', note)
  await nextTurn() // or the first turn could end before it looks for connections
  while (!isQuiet && performance.now() < deadline) {
    const startedAt = performance.now()
    isQuiet = true
    await nextTurn()
    if (performance.now() - startedAt > QUIET_TURN_MS) isQuiet = false
  }
  server.off('connection', note)
  NetServer.prototype.close.call(server)
}

/**
 * Waits, for a limited time, until each open connection has had its last response. `server.close()` alone closes idle
 * connections immediately, which would reset requests that are just arriving.
 */
export async function drainConnections(server: Server): Promise<void> {
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
