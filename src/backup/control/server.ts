import { once } from 'node:events'
import { chmodSync, rmSync } from 'node:fs'
import { createServer, type Socket } from 'node:net'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import type { EventStore } from '#server/analytics/event-store.ts'
import type { EventSnapshot, PortableTable } from '#server/analytics/portable-tables.ts'
import { describeStorageProblem } from '#server/db/storage-problem.ts'
import { SOCKET, withSocketPath } from './socket-path.ts'

/** A line of the command line to the server. Responses are lines too: a result, or `{ error }`. */
export type Request =
  /** The last project of the backup. */
  { readonly open: number } | { readonly part: PortableTable } | { readonly close: true }

export interface BackupListener {
  close(): Promise<void>
}

/**
 * Lets the command line back up the events of a running server, whose file no other process can open. The command line
 * reads everything else itself. Only the server's user can enter the data folder, so there is no key.
 */
export async function listenForBackups(
  folder: string,
  events: EventStore,
): Promise<BackupListener> {
  const sockets = new Map<Socket, Promise<void>>()
  const server = createServer((socket) => {
    sockets.set(
      socket,
      serve(socket, events).finally(() => sockets.delete(socket)),
    )
  })
  rmSync(join(folder, SOCKET), { force: true }) // of a server that was killed
  await withSocketPath(folder, async (path) => {
    server.listen(path)
    await once(server, 'listening')
  })
  chmodSync(join(folder, SOCKET), 0o600)
  return {
    async close() {
      server.close()
      const ending = [...sockets.values()]
      for (const socket of sockets.keys()) socket.destroy()
      await Promise.all(ending)
      rmSync(join(folder, SOCKET), { force: true })
    },
  }
}

/** One connection is one backup. The snapshot ends with it, however it ends. */
async function serve(socket: Socket, events: EventStore): Promise<void> {
  let snapshot: EventSnapshot | undefined
  const closed = once(socket, 'close')
  socket.on('error', () => {}) // the other process has ended
  const respond = async (line: string): Promise<unknown> => {
    const request = JSON.parse(line) as Request
    if ('open' in request) {
      snapshot = await events.openSnapshot({ lastProjectId: request.open })
      return { counts: snapshot?.counts }
    }
    if ('part' in request) return { part: await snapshot?.nextPart(request.part) }
    await snapshot?.close()
    return {}
  }
  let last: Promise<unknown> = Promise.resolve()
  createInterface({ input: socket }).on('line', (line) => {
    last = respond(line)
      .catch((error: Error) => ({ error: describeStorageProblem(error) ?? error.message }))
      .then((response) => socket.writable && socket.write(`${JSON.stringify(response)}\n`))
  })
  await closed
  await snapshot?.close()
  await last
  await snapshot?.close() // if it was being opened when the connection closed
}
