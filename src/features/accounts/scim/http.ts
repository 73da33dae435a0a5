import type { FastifyReply, FastifyRequest } from 'fastify'
import { Type } from 'typebox'
import { MAX_LIMIT, requestOrigin } from '#server/http/page.ts'
import { SCIM_TYPE } from './errors.ts'
import type { ScimDeps } from './users.ts'

export interface ScimRoutesOptions extends ScimDeps {
  /** The configured public URL of the service. */
  readonly url: string | undefined
}

const DEFAULT_COUNT = 100
export const tags = ['SCIM']
export const read = { scope: 'public' as const }
export const write = { scope: 'public' as const, pages: 'own' as const }
export const Gone = { 204: Type.Null({ description: 'Done.' }) }

/** Returns the public address of the routes. */
export const toBase = (request: FastifyRequest, url: string | undefined): string =>
  `${url ?? requestOrigin(request)}/scim/v2`

/** Takes an untyped reply, because responses have a media type of their own. */
export const send = (reply: FastifyReply, resource: object | undefined): FastifyReply =>
  reply.type(SCIM_TYPE).send(resource)

/** Lowers and raises what is out of bounds, as RFC 7644 asks for. */
export const toRange = ({
  startIndex = 1,
  count = DEFAULT_COUNT,
}: {
  startIndex?: number
  count?: number
}) => ({
  offset: Math.max(startIndex, 1) - 1,
  limit: Math.min(Math.max(count, 0), MAX_LIMIT),
})
