import type { FastifyReply, FastifyRequest } from 'fastify'
import { Type } from 'typebox'
import { contentIfAsked, namesType } from '../../http/negotiation.ts'

export const Frontend = Type.Object(
  { no_frontend: Type.Literal(true) },
  { title: 'Frontend', additionalProperties: false },
)

const NO_FRONTEND = { no_frontend: true } as const
const NO_FRONTEND_MODULE = 'export function getFrontendApp () { return {"no_frontend": true} }'
const SCRIPT_TYPES = ['text/javascript', 'application/javascript']

/** No app has a page of its own yet, and says so in the form asked for. */
export async function sendFrontend(
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<FastifyReply> {
  const wantsJson = namesType(request, 'application/json')
  const wantsScript = !wantsJson && SCRIPT_TYPES.some((type) => namesType(request, type))
  if (!wantsScript) return contentIfAsked(request, reply, NO_FRONTEND)
  return reply
    .header('vary', 'accept, authorization')
    .type('text/javascript; charset=utf-8')
    .send(NO_FRONTEND_MODULE)
}
