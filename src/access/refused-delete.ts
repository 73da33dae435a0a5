import type { FastifyReply, FastifyRequest } from 'fastify'
import { type TSchema, Type } from 'typebox'
import { sendEmpty } from '../http/negotiation.ts'
import type { Scope } from './scopes.ts'

interface RefusedDelete {
  readonly scope: Scope
  readonly operationId: string
  readonly tags: string[]
  readonly params: TSchema
}

/** Declares a DELETE that always responds with 405 and no body, because records are deleted with PATCH and can be restored. */
export const refusedDelete = ({ scope, ...description }: RefusedDelete) => ({
  config: { scope, alwaysRefused: true },
  schema: {
    ...description,
    summary: 'Refused: delete by PATCH',
    description: 'Hard delete is not allowed. Set `deleted` to true with PATCH.',
    response: { 405: Type.Null({ description: 'Always, without a body.' }) },
  },
  // a hook runs before the body is read
  onRequest: async (_request: FastifyRequest, reply: FastifyReply) =>
    sendEmpty(reply.header('allow', 'GET, HEAD, PATCH, OPTIONS'), 405),
  handler: () => {},
})
