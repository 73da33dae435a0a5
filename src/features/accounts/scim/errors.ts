import type { FastifyError, FastifyReply, FastifyRequest } from 'fastify'
import { ApiError } from '#server/errors.ts'
import { logFault, toApiError } from '#server/http/error-handler.ts'

export const SCIM_TYPE = 'application/scim+json'

const ERROR_SCHEMA = 'urn:ietf:params:scim:api:messages:2.0:Error'

/** The kinds of errors of RFC 7644, section 3.12, that this server has. */
type Kind = 'invalidFilter' | 'invalidPath' | 'invalidSyntax' | 'invalidValue' | 'uniqueness'

export class ScimError extends ApiError {
  readonly kind: Kind

  constructor(kind: Kind, detail: string) {
    super(kind === 'uniqueness' ? 'conflict' : 'invalid_input', detail)
    this.kind = kind
  }
}

/** Responds in the format of SCIM to every error of its routes. */
export function sendScimError(
  error: FastifyError,
  request: FastifyRequest,
  reply: FastifyReply,
): FastifyReply {
  const apiError = toApiError(error, request)
  logFault(error, apiError, request, reply)
  const kind = toKind(apiError)
  return reply
    .code(apiError.statusCode)
    .headers(apiError.headers)
    .type(SCIM_TYPE)
    .send({
      schemas: [ERROR_SCHEMA],
      status: `${apiError.statusCode}`,
      ...(kind && { scimType: kind }),
      detail: apiError.message,
    })
}

function toKind(error: ApiError): Kind | undefined {
  if (error instanceof ScimError) return error.kind
  if (error.statusCode !== 400) return undefined
  return error.code === 'parse_error' ? 'invalidSyntax' : 'invalidValue'
}
