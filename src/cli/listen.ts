import { once } from 'node:events'
import { createServer } from 'node:net'
import { OperatorError } from '../errors.ts'

interface Address {
  readonly host: string
  readonly port: number
}

/**
 * Throws if the address is not available. `serve` checks this at a first start, which would otherwise create a key
 * without showing it. Later starts do not, because the check resets connections that arrive meanwhile.
 */
export async function requireFreeAddress({ host, port }: Address): Promise<void> {
  const server = createServer()
  try {
    server.listen({ host, port })
    await once(server, 'listening')
  } catch (error) {
    throw toListenError(error as NodeJS.ErrnoException, { host, port })
  }
  server.close()
  await once(server, 'close')
}

export function toListenError(error: NodeJS.ErrnoException, { host, port }: Address): Error {
  const noSuchHost = `This machine has no address ${host}. Set HEDGEROW_HOST to one it has, or 0.0.0.0.`
  const reasons: Record<string, string> = {
    EADDRINUSE: `Port ${port} on ${host} is in use. Stop the other process, or set HEDGEROW_PORT.`,
    EACCES: `This user cannot listen on port ${port}. Set HEDGEROW_PORT to a port above 1023.`,
    EADDRNOTAVAIL: noSuchHost,
    ENOTFOUND: noSuchHost,
    EAI_AGAIN: noSuchHost,
  }
  const reason = reasons[error.code ?? '']
  return reason ? new OperatorError(reason) : error
}
