import { once } from 'node:events'
import { createServer } from 'node:net'
import { OperatorError } from '../errors.ts'

interface Address {
  readonly host: string
  readonly port: number
}

/**
 * Throws when the address cannot be listened on. `serve` asks before it touches the storage: a
 * first start that then could not listen would have made a key that nobody was shown.
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
    EADDRINUSE: `Port ${port} on ${host} is taken. Stop what listens there, or set HEDGEROW_PORT.`,
    EACCES: `This user may not listen on port ${port}. Choose one above 1023 with HEDGEROW_PORT.`,
    EADDRNOTAVAIL: noSuchHost,
    ENOTFOUND: noSuchHost,
    EAI_AGAIN: noSuchHost,
  }
  const reason = reasons[error.code ?? '']
  return reason ? new OperatorError(reason) : error
}
