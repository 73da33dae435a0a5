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

/** A DELETE that is always refused, with 405 and nothing else: deleting is a change that can be taken back. */
export const refusedDelete = ({ scope, ...described }: RefusedDelete) => ({
  config: { scope, alwaysRefused: true },
  schema: {
    ...described,
    summary: 'Refused: delete by PATCH',
    description: 'Hard delete is not allowed. Set `deleted` to true with PATCH.',
    response: { 405: Type.Null({ description: 'Always, without a body.' }) },
  },
  // in a hook: whatever body comes along need not be read
  onRequest: async (_request: FastifyRequest, reply: FastifyReply) =>
    sendEmpty(reply.header('allow', 'GET, HEAD, PATCH, OPTIONS'), 405),
  handler: () => {},
})
