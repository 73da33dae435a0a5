import type { Server } from 'node:http'
import { type FastifyHttpOptions, type FastifyReply, LogController } from 'fastify'
import { randomText } from '../db/values.ts'
import { ApiError } from '../errors.ts'
import { toRegisteredUrl } from './aliases.ts'
import { sendError } from './error-handler.ts'
import { addHeaders, SECURITY_HEADERS } from './headers.ts'

const ONE_MIB = 1024 * 1024
/** Of the request line and headers. No longer id can be asked for, so each that names nothing is a 404. */
const MAX_HEAD = 16 * 1024

interface ServerConfig {
  readonly logLevel: string
  readonly trustedProxy: string | undefined
}

export function serverOptions({
  logLevel,
  trustedProxy,
}: ServerConfig): FastifyHttpOptions<Server> {
  return {
    bodyLimit: ONE_MIB,
    http: {
      maxHeaderSize: MAX_HEAD,
      requireHostHeader: false, // see headers.ts
      headersTimeout: 60_000,
    },
    routerOptions: { maxParamLength: MAX_HEAD },
    rewriteUrl: ({ url = '/' }) => toRegisteredUrl(url),
    trustProxy: trustedProxy ?? false,
    genReqId: requestIds(),
    requestIdHeader: false,
    logController: new LogController({ disableRequestLogging: true }), // see request-log.ts
    forceCloseConnections: 'idle',
    requestTimeout: 0, // see slow-senders.ts
    logger: {
      level: logLevel,
      stream: process.stderr,
      // no header is ever logged: one of them is the key
      serializers: { req: ({ method, url }) => ({ method, url: url.split('?', 1)[0] }) },
    },
    frameworkErrors: (error, request, reply) => {
      addHeaders(request, reply as FastifyReply)
      sendError(reply as FastifyReply, new ApiError('bad_request', error.message))
    },
    clientErrorHandler(error, socket) {
      if (error.code === 'ECONNRESET' || !socket.writable) return socket.destroy()
      const { body } = new ApiError('bad_request', 'The request is not valid HTTP.')
      const text = JSON.stringify(body)
      const headers = {
        ...SECURITY_HEADERS,
        'content-type': 'application/json',
        'content-length': Buffer.byteLength(text),
        connection: 'close',
      }
      const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`)
      socket.end(`HTTP/1.1 400 Bad Request\r\n${lines.join('')}\r\n${text}`)
    },
  }
}

/** Unique across servers by the prefix, across requests by the count; a caller's own id is kept if it is sane. */
function requestIds(): NonNullable<FastifyHttpOptions<Server>['genReqId']> {
  const prefix = randomText(8)
  let count = 0
  return ({ headers }) => {
    const given = headers['x-request-id']
    if (typeof given === 'string' && /^[\w.:-]{1,100}$/.test(given)) return given
    count++
    return `${prefix}-${count.toString(36)}`
  }
}
