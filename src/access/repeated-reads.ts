import type { IncomingMessage, ServerResponse } from 'node:http'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { LRUCache } from 'lru-cache'
import type { CacheStamp } from '../db/cache-stamps.ts'
import type { RespondEarly } from '../http/turns.ts'
import type { CacheReads } from '../telemetry/cache-reads.ts'
import { type CacheDependency, toVersionTag } from './cache-dependency.ts'
import type { Grant, Guard } from './guard.ts'

export interface CachedBody {
  readonly etag: string
  /** A buffer if it is large: strings are faster to send up to a few kilobytes, buffers beyond. */
  readonly body: string | Buffer
}

/** A response from the read cache, and what it depends on besides the bytes of its request. */
interface KnownResponse {
  readonly grant: Grant
  readonly cached: CacheDependency
  readonly etag: string
  readonly status: number
  /** Names and values, one after the other. Each response puts its own ID at the end. */
  readonly head: string[]
  /** The place of the body in the read cache, unless it is empty. */
  readonly cacheKey: string | undefined
  /** The pattern of the route's URL. */
  readonly route: string
  readonly onCachedRead: ((grant: Grant) => void) | undefined
}

/** Is told of each response that no hook has seen. */
type ResponseListener = (status: number, route: string, ms: number) => void

export interface RepeatedReads {
  /** Remembers the response to a request. */
  remember(request: FastifyRequest, reply: FastifyReply, sent: CachedBody): void
  /** Responds like last time, if the same request came before and would get the same response; tells whether it has. */
  readonly respond: RespondEarly
  onResponse(listener: ResponseListener): void
}

interface Options {
  readonly app: FastifyInstance
  readonly guard: Guard
  readonly bodies: LRUCache<string, CachedBody>
  readonly reads: CacheReads
  readonly toRequestId: () => string
}

const MAX_BYTES = 16 * 1024 * 1024
/** The rest that is remembered of a response. */
const BYTES_OF_RESPONSE = 2000

/**
 * Responds to requests that equal an earlier one byte by byte, before Fastify sees them: routing, hooks and logger take
 * three times as long as everything here. The guard checks the credential again, and the versions that the ETag is made
 * of are read again. See docs/decisions/0046.
 */
export function createRepeatedReads(options: Options): RepeatedReads {
  const { app, guard, bodies, reads, toRequestId } = options
  const known = new LRUCache<string, KnownResponse>({
    maxSize: MAX_BYTES,
    sizeCalculation: (_response, text) => text.length + BYTES_OF_RESPONSE,
  })
  const listeners: ResponseListener[] = []

  function remember(request: FastifyRequest, reply: FastifyReply, sent: CachedBody): void {
    const { grant, cacheKey, raw, routeOptions } = request
    const { cached, onCachedRead } = routeOptions.config
    if (!cached || !isRepeatable(request) || reply.hasHeader('set-cookie')) return
    known.set(toText(raw, request.originalUrl), {
      grant,
      cached,
      etag: sent.etag,
      status: reply.statusCode,
      head: toHead(reply, sent.body),
      cacheKey: sent.body === '' ? undefined : cacheKey,
      route: routeOptions.url ?? '',
      onCachedRead,
    })
  }

  const respond: RespondEarly = (request, response, arrivedAt) => {
    if (request.method !== 'GET' || app.isStopping) return false
    const earlier = known.get(toText(request, request.url as string))
    if (!earlier) return false
    const stamp = guard.recheck(earlier.grant)
    return stamp instanceof Promise
      ? stamp.then((read) => respondAt(earlier, read, response, arrivedAt))
      : respondAt(earlier, stamp, response, arrivedAt)
  }

  function respondAt(
    { grant, cached, etag, status, head, cacheKey, route, onCachedRead }: KnownResponse,
    stamp: CacheStamp | undefined,
    response: ServerResponse,
    arrivedAt: number,
  ): boolean {
    if (!stamp || toVersionTag(grant.caller, stamp, cached) !== etag) return false
    const entry = cacheKey === undefined ? undefined : bodies.get(cacheKey)
    if (cacheKey !== undefined && entry?.etag !== etag) return false
    reads.hits++
    head[head.length - 1] = toRequestId()
    response.writeHead(status, head).end(entry?.body)
    const ms = performance.now() - arrivedAt
    for (const listener of listeners) listener(status, route, ms)
    onCachedRead?.(grant)
    return true
  }

  return { remember, respond, onResponse: (listener) => void listeners.push(listener) }
}

/** A body would have to be read, and a request with an ID of its own will not come again. */
const isRepeatable = ({ method, headers }: FastifyRequest): boolean =>
  method === 'GET' &&
  headers['content-length'] === undefined &&
  headers['transfer-encoding'] === undefined &&
  headers['x-request-id'] === undefined

/** The peer's address tells whether its headers about the client are trusted. */
const toText = ({ socket, rawHeaders }: IncomingMessage, url: string): string =>
  `${socket.remoteAddress}\n${url}\n${rawHeaders.join('\n')}`

function toHead(reply: FastifyReply, body: string | Buffer): string[] {
  const { 'x-request-id': _, ...headers } = reply.getHeaders()
  const pairs = Object.entries(headers).flatMap(([name, value]) => [name, String(value)])
  const length = reply.statusCode === 304 ? [] : ['content-length', String(Buffer.byteLength(body))]
  return [...pairs, ...length, 'x-request-id', '']
}
