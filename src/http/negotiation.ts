import type { FastifyReply, FastifyRequest } from 'fastify'

/** Tells whether `Accept` names the type itself. A wildcard is not enough. */
export const acceptsByName = (request: FastifyRequest, type: string): boolean =>
  (request.headers.accept ?? '')
    .split(',')
    .some((range) => range.split(';', 1)[0]?.trim().toLowerCase() === type)

/** Takes an untyped reply, because a schema without a body would otherwise require `null`, which is sent as text. */
export const sendEmpty = (reply: FastifyReply, status: number): FastifyReply =>
  reply.code(status).send()

/** Sends 200 with no body, as the API defines, or the content to a caller whose `Accept` names JSON. */
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
