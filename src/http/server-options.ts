import { type FastifyReply, type FastifyServerOptions, LogController } from 'fastify'
import { randomText } from '../db/values.ts'
import { ApiError } from '../errors.ts'
import { sendError } from './error-handler.ts'

const ONE_MIB = 1024 * 1024

interface ServerConfig {
  readonly logLevel: string
  readonly trustedProxy: string | undefined
}

export function serverOptions({ logLevel, trustedProxy }: ServerConfig): FastifyServerOptions {
  return {
    bodyLimit: ONE_MIB,
    routerOptions: { ignoreTrailingSlash: true, maxParamLength: 400 },
    trustProxy: trustedProxy ?? false,
    genReqId: requestIds(),
    requestIdHeader: false,
    logController: new LogController({ disableRequestLogging: true }), // see request-log.ts
    forceCloseConnections: 'idle',
    // a slow sender may not hold a connection for ever
    requestTimeout: 60_000,
    logger: {
      level: logLevel,
      stream: process.stderr,
      // no header is ever logged: one of them is the key
      serializers: { req: ({ method, url }) => ({ method, url: url.split('?', 1)[0] }) },
    },
    frameworkErrors: (error, _request, reply) => {
      sendError(reply as FastifyReply, new ApiError('bad_request', error.message))
    },
    clientErrorHandler(error, socket) {
      if (error.code === 'ECONNRESET' || !socket.writable) return socket.destroy()
      const { body } = new ApiError('bad_request', 'The request is not valid HTTP.')
      const text = JSON.stringify(body)
      socket.end(
        `HTTP/1.1 400 Bad Request\r\nContent-Type: application/json\r\nContent-Length: ${Buffer.byteLength(text)}\r\nConnection: close\r\n\r\n${text}`,
      )
    },
  }
}

/** Unique across servers by the prefix, across requests by the count; a caller's own id is kept if it is sane. */
function requestIds(): NonNullable<FastifyServerOptions['genReqId']> {
  const prefix = randomText(8)
  let count = 0
  return ({ headers }) => {
    const given = headers['x-request-id']
    if (typeof given === 'string' && /^[\w.:-]{1,100}$/.test(given)) return given
    count++
    return `${prefix}-${count.toString(36)}`
  }
}
