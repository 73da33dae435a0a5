import type { FastifyReply } from 'fastify'
import type { Principal } from './keys.ts'

/** The key or session behind a request, and whether its client still waits. */
export interface Requester {
  /** Names the key or session. */
  readonly key: string
  /** Aborts when the client disconnects or has its response. */
  readonly signal: AbortSignal
}

/** One error for all: creating one for each response costs more than the rest of this function. */
const HAS_LEFT = new Error('The client has left.')

export function toRequester(
  { principal }: { readonly principal: Principal },
  reply: FastifyReply,
): Requester {
  const { raw } = reply
  const leaving = new AbortController()
  const leave = () => leaving.abort(HAS_LEFT)
  if (raw.destroyed) leave()
  else raw.once('close', leave)
  return { key: principal.keyId, signal: leaving.signal }
}
