import type { FastifyReply, FastifyRequest } from 'fastify'

/** True when `Accept` names the type itself; a wildcard is not enough. */
export const acceptsByName = (request: FastifyRequest, type: string): boolean =>
  (request.headers.accept ?? '')
    .split(',')
    .some((range) => range.split(';', 1)[0]?.trim().toLowerCase() === type)

/** The reply's type is loose here: a schema that says "no body" would otherwise want `null` sent, as text. */
export const sendEmpty = (reply: FastifyReply, status: number): FastifyReply =>
  reply.code(status).send()

/**
 * The interface says these operations answer 200 with no body. A caller that asks for JSON by name gets what
 * was done.
 */
export async function sendIfJsonAccepted<T>(
  request: FastifyRequest,
  reply: FastifyReply,
  content: T | (() => Promise<T>),
): Promise<FastifyReply> {
  reply.header('vary', 'accept, authorization, cookie')
  if (!acceptsByName(request, 'application/json')) return sendEmpty(reply, 200)
  const value = typeof content === 'function' ? await (content as () => Promise<T>)() : content
  return reply.code(200).send(value)
}
