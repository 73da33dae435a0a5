import type { FastifyError, FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { ApiError } from '../errors.ts'

/** What the drivers say when the database is away, restarting, or locked for longer than we wait. */
const STORAGE_AWAY = new Set([
  ...['ECONNREFUSED', 'ECONNRESET', 'ETIMEDOUT', 'ENOTFOUND', 'EPIPE'],
  ...['57P01', '57P02', '57P03', '53300', '08006', '08003'],
])

export function installErrorHandler(app: FastifyInstance): void {
  app.setErrorHandler((error: FastifyError, request, reply) => {
    const answer = toApiError(error)
    if (answer.statusCode >= 500) request.log.error({ err: error }, 'request failed')
    return sendError(reply, answer)
  })
  app.setNotFoundHandler((_request: FastifyRequest, reply) =>
    sendError(reply, new ApiError('not_found', 'Endpoint not found.')),
  )
}

export const sendError = (reply: FastifyReply, error: ApiError): FastifyReply =>
  reply.code(error.statusCode).headers(error.headers).send(error.body)

function toApiError(error: FastifyError | ApiError): ApiError {
  if (error instanceof ApiError) return error
  if (error.code === 'FST_ERR_CTP_BODY_TOO_LARGE') {
    return new ApiError('request_too_large', 'The request body is larger than 1 MiB.')
  }
  if (isStorageAway(error)) {
    const detail = 'The storage is not available just now. Try again in a moment.'
    return new ApiError('unavailable', detail, null, { 'retry-after': '5' })
  }
  if (error.statusCode && error.statusCode < 500) {
    return new ApiError('bad_request', error.message)
  }
  return new ApiError('error', 'A server error occurred.')
}

const isStorageAway = (error: FastifyError): boolean =>
  STORAGE_AWAY.has(error.code) ||
  /database is locked|timeout exceeded when trying to connect|Connection terminated/.test(
    error.message,
  )
