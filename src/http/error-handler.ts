import type { FastifyError, FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { NETWORK_ERROR_CODES } from '../db/storage-problem.ts'
import { ApiError } from '../errors.ts'

/** What PostgreSQL says when it is away, restarting or full. */
const STORAGE_AWAY = new Set(['57P01', '57P02', '57P03', '53300', '08006', '08003'])

export function installErrorHandler(app: FastifyInstance): void {
  // Node would answer an expectation it does not know with 417 and no body; it may as well be ignored
  app.server.on('checkExpectation', (...exchange) => app.server.emit('request', ...exchange))
  app.setErrorHandler((error: FastifyError, request, reply) => {
    const answer = toApiError(error, request)
    if (answer.statusCode >= 500) request.log.error({ err: error }, 'request failed')
    return sendError(reply, answer)
  })
  app.setNotFoundHandler((_request: FastifyRequest, reply) =>
    sendError(reply, new ApiError('not_found', 'Endpoint not found.')),
  )
}

export const sendError = (reply: FastifyReply, error: ApiError): FastifyReply =>
  reply.code(error.statusCode).headers(error.headers).send(error.body)

function toApiError(error: FastifyError | ApiError, request: FastifyRequest): ApiError {
  if (error instanceof ApiError) return error
  if (error.code === 'FST_ERR_CTP_BODY_TOO_LARGE') {
    const limit = request.routeOptions.bodyLimit / (1024 * 1024)
    return new ApiError('request_too_large', `The request body is larger than ${limit} MiB.`)
  }
  if (error.code === 'FST_ERR_CTP_INVALID_MEDIA_TYPE') return unsupportedType(request)
  if (isStorageAway(error)) {
    const detail = 'The storage is not available just now. Try again in a moment.'
    return new ApiError('unavailable', detail, null, { 'retry-after': '5' })
  }
  if (error.statusCode && error.statusCode < 500) {
    return new ApiError('bad_request', error.message)
  }
  return new ApiError('error', 'A server error occurred.')
}

export const unsupportedType = ({ headers }: FastifyRequest): ApiError =>
  new ApiError(
    'unsupported_media_type',
    `Unsupported media type "${headers['content-type'] ?? ''}" in request.`,
  )

const isStorageAway = (error: FastifyError): boolean =>
  STORAGE_AWAY.has(error.code) ||
  NETWORK_ERROR_CODES.test(error.code) ||
  /database is locked|timeout exceeded when trying to connect|Connection terminated/.test(
    error.message,
  )
