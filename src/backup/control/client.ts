import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { createInterface } from 'node:readline'
import type { EventSnapshot, Part } from '#server/analytics/portable-tables.ts'
import { OperatorError } from '#server/errors.ts'
import type { Request } from './server.ts'
import { withSocketPath } from './socket-path.ts'

interface Response {
  readonly counts?: EventSnapshot['counts']
  readonly part?: Part
  readonly error?: string
}

const serverEnded = (): OperatorError =>
  new OperatorError('The server ended during the backup. Back up again.')

/** Connects to the server of a data folder. Returns undefined if none is running. */
export async function connectToServer(folder: string): Promise<Socket | undefined> {
  try {
    return await withSocketPath(folder, async (path) => {
      const socket = connect(path)
      await once(socket, 'connect')
      return socket
    })
  } catch {
    return undefined
  }
}

/** Opens the events of a running server as they are now. */
export async function openServerSnapshot(
  folder: string,
  lastProjectId: number,
): Promise<EventSnapshot> {
  const socket = await connectToServer(folder)
  if (!socket) throw serverEnded()
  return openThrough(socket, lastProjectId)
}

async function openThrough(socket: Socket, lastProjectId: number): Promise<EventSnapshot> {
  const lines = createInterface({ input: socket })[Symbol.asyncIterator]()
  socket.on('error', () => {}) // `ask` notices the end

  async function ask(request: Request): Promise<Response> {
    socket.write(`${JSON.stringify(request)}\n`)
    const { value, done } = await lines.next()
    if (done) throw serverEnded()
    const response = JSON.parse(value) as Response
    if (response.error !== undefined) throw new OperatorError(response.error)
    return response
  }

  const { counts } = await ask({ open: lastProjectId }).catch((error) => {
    socket.destroy() // or the command would never end
    throw error
  })
  if (!counts) throw new OperatorError('The server cannot back up its events.')
  return {
    counts,
    nextPart: async (table) => (await ask({ part: table })).part,
    async close() {
      await ask({ close: true }).catch(() => {}) // the server closes it when the connection ends, too
      socket.destroy()
    },
  }
}
