import type { Server } from 'node:http'
import type { Socket } from 'node:net'
import {
  type ConnectionError,
  type FastifyHttpOptions,
  type FastifyInstance,
  type FastifyReply,
  LogController,
} from 'fastify'
import { randomText } from '../db/values.ts'
import { ApiError } from '../errors.ts'
import { toRegisteredUrl } from './aliases.ts'
import { sendError } from './error-handler.ts'
import { addHeaders, SECURITY_HEADERS } from './headers.ts'
import { SCHEMA_CONTROLLER } from './validation.ts'

const ONE_MIB = 1024 * 1024
/** The size of the request line and headers. Longer IDs cannot be sent, so an unknown ID is always a 404. */
const MAX_HEADER_SIZE = 16 * 1024

interface ServerConfig {
  readonly logLevel: string
  readonly trustedProxy: string | undefined
}

export function serverOptions(
  { logLevel, trustedProxy }: ServerConfig,
  toRequestId = createRequestIds(),
): FastifyHttpOptions<Server> {
  return {
    bodyLimit: ONE_MIB,
    http: {
      maxHeaderSize: MAX_HEADER_SIZE,
      requireHostHeader: false, // see headers.ts
      headersTimeout: 60_000,
    },
    schemaController: SCHEMA_CONTROLLER,
    routerOptions: { maxParamLength: MAX_HEADER_SIZE },
    rewriteUrl: ({ url = '/' }) => toRegisteredUrl(url),
    trustProxy: trustedProxy ?? false,
    // keeps the caller's own ID if it is valid
    genReqId: ({ headers: { 'x-request-id': given } }) =>
      typeof given === 'string' && /^[\w.:-]{1,100}$/.test(given) ? given : toRequestId(),
    requestIdHeader: false,
    logController: new LogController({ disableRequestLogging: true }), // see request-log.ts
    forceCloseConnections: 'idle',
    return503OnClosing: false, // a request that still arrives gets a response that closes the connection
    requestTimeout: 0, // see body-timeout.ts
    logger: {
      level: logLevel,
      stream: process.stderr,
      // headers are never logged, because one of them is the key
      serializers: { req: ({ method, url }) => ({ method, url: url.split('?', 1)[0] }) },
    },
    frameworkErrors: (error, request, reply) => {
      addHeaders(request, reply as FastifyReply)
      sendError(reply as FastifyReply, new ApiError('bad_request', error.message))
    },
    clientErrorHandler(this: FastifyInstance, error: ConnectionError, socket: Socket) {
      if (error.code === 'ECONNRESET') return socket.destroy()
      // hundreds of senders may break off at the same moment
      this.enterTurn(() => {
        if (socket.writable) socket.end(INVALID_HTTP)
        else socket.destroy()
      })
    },
  }
}

/** A whole response, written once. */
const INVALID_HTTP = toResponseText(new ApiError('bad_request', 'The request is not valid HTTP.'))

function toResponseText({ body }: ApiError): string {
  const text = JSON.stringify(body)
  const headers = {
    ...SECURITY_HEADERS,
    'content-type': 'application/json',
    'content-length': Buffer.byteLength(text),
    connection: 'close',
  }
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`)
  return `HTTP/1.1 400 Bad Request\r\n${lines.join('')}\r\n${text}`
}

/** Creates IDs that are unique across servers by a prefix. */
export function createRequestIds(): () => string {
  const prefix = randomText(8)
  let count = 0
  return () => `${prefix}-${(++count).toString(36)}`
}
