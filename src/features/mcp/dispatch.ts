import type { FastifyInstance, FastifyRequest } from 'fastify'
import inject from 'light-my-request'
import type { ApiRequest } from './api-request.ts'

export interface ApiResponse {
  readonly statusCode: number
  readonly headers: Readonly<Record<string, unknown>>
  readonly rawPayload: Buffer
}

/** Headers that tell who the caller is and which address the caller used. */
const CALLER = ['authorization', 'host', 'x-forwarded-for', 'x-forwarded-host', 'x-forwarded-proto']

/**
 * Sends a request of the caller to the app itself, without a connection. It passes everything that a request over HTTP
 * passes: the guard, validation, limits and the log.
 */
export async function dispatch(
  app: FastifyInstance,
  caller: FastifyRequest,
  { method, url, body }: ApiRequest,
  signal: AbortSignal,
): Promise<ApiResponse> {
  const known = CALLER.filter((name) => caller.headers[name] !== undefined)
  const headers = {
    ...Object.fromEntries(known.map((name) => [name, caller.headers[name] as string])),
    accept: 'application/json',
    'x-request-id': caller.id,
    ...(body && { 'content-type': 'application/json' }),
  }
  const remoteAddress = caller.raw.socket.remoteAddress ?? ''
  signal.throwIfAborted()
  // app.inject has a signal, but ignores it once the body was read
  const route: inject.DispatchFunc = (request, response) => {
    signal.addEventListener('abort', () => response.destroy())
    app.routing(request, response)
  }
  return inject(route, {
    ...{ method: method as 'GET', url, headers, remoteAddress },
    ...(body && { payload: JSON.stringify(body) }),
  })
}
