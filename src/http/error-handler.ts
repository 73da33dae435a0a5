import type { FastifyError, FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { describeDiskProblem, isUnavailable } from '../db/storage-problem.ts'
import { ApiError, BusyError, OperatorError } from '../errors.ts'
import { missingEndpoint } from './missing-endpoint.ts'

export function installErrorHandler(app: FastifyInstance): void {
  // ignores an unknown expectation, to which Node would respond with 417 and no body
  app.server.on('checkExpectation', (...exchange) => app.server.emit('request', ...exchange))
  app.setErrorHandler((error: FastifyError, request, reply) => {
    const apiError = toApiError(error, request)
    logFault(error, apiError, request, reply)
    return sendError(reply, apiError)
  })
  app.setNotFoundHandler(({ url }: FastifyRequest, reply) => sendError(reply, missingEndpoint(url)))
}

/** Logs an error that is the server's own. */
export function logFault(
  error: FastifyError,
  { statusCode }: ApiError,
  request: FastifyRequest,
  reply: FastifyReply,
): void {
  const isRead = !reply.raw.destroyed // if not, the client has disconnected, which often causes the error
  const isFault = statusCode >= 500 && !(error instanceof BusyError)
  if (isFault && isRead) request.log.error({ err: error }, 'request failed')
}

export const sendError = (reply: FastifyReply, error: ApiError): FastifyReply =>
  reply.code(error.statusCode).headers(error.headers).send(error.body)

export function toApiError(error: FastifyError | ApiError, request: FastifyRequest): ApiError {
  if (error instanceof ApiError) return error
  if (error.code === 'FST_ERR_CTP_BODY_TOO_LARGE') {
    const limit = request.routeOptions.bodyLimit / (1024 * 1024)
    return new ApiError('request_too_large', `The request body is larger than ${limit} MiB.`)
  }
  if (error.code === 'FST_ERR_CTP_INVALID_MEDIA_TYPE') return unsupportedType(request)
  const diskProblem = describeDiskProblem(error)
  if (diskProblem) return new ApiError('unavailable', diskProblem)
  if (error instanceof OperatorError) {
    const detail = "The storage cannot be used until the operator repairs it. See the server's log."
    return new ApiError('unavailable', detail)
  }
  if (isUnavailable(error)) {
    const detail = 'The storage is not available just now. Try again in a moment.'
    return new ApiError('unavailable', detail)
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
