import type { IncomingMessage, ServerResponse } from 'node:http'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { LRUCache } from 'lru-cache'
import type { CacheStamp } from '../db/cache-stamps.ts'
import { type JsonText, sendJson } from '../http/json-text.ts'
import { toBody } from '../http/large-bodies.ts'
import type { RespondEarly } from '../http/turns.ts'
import type { CacheReads } from '../telemetry/cache-reads.ts'
import { type CacheDependency, toVersionTag } from './cache-dependency.ts'
import type { Grant, Guard } from './guard.ts'

declare module 'fastify' {
  interface FastifyRequest {
    /** Reads the body of the response again. */
    readAgain: ReadJson | undefined
  }
}

type ReadJson = () => Promise<JsonText>

export interface CachedBody {
  readonly etag: string
  readonly body: string | Buffer
  /** In bytes, as it is sent. */
  readonly length: string
}

const LARGE_BODY = 16 * 1024

/** Converts a large body once, to keep and to send: strings are faster to send up to a few kilobytes, buffers beyond. */
export function toCachedBody(etag: string, payload: string | Buffer): CachedBody {
  const isLarge = typeof payload === 'string' && payload.length >= LARGE_BODY
  const body = isLarge ? Buffer.from(payload) : payload
  return { etag, body, length: String(Buffer.byteLength(body)) }
}

/**
 * Sends what `read` returns. When the same request comes again, only the guard and `read` run, so `read` must take all
 * it needs from this request, and not keep the request itself.
 */
export async function sendRead(
  request: FastifyRequest,
  reply: FastifyReply,
  read: ReadJson,
): Promise<FastifyReply> {
  request.readAgain = read
  return sendJson(reply, await read())
}

/** A response from the read cache, and what it depends on besides the bytes of its request. */
interface KnownResponse {
  readonly grant: Grant
  readonly cached: CacheDependency
  /** The entity tag and the empty body of a 304. Other responses have the newest. */
  readonly notModified: CachedBody | undefined
  /** Names and values, one after the other, with those of each response at the end. */
  readonly head: string[]
  /** The place of the body in the read cache, unless it is not kept. */
  readonly cacheKey: string
  readonly readAgain: ReadJson | undefined
  /** The pattern of the route's URL. */
  readonly route: string
  readonly onCachedRead: ((grant: Grant) => void) | undefined
}

/** Is told of each response that no hook has seen. */
type ResponseListener = (status: number, route: string, ms: number) => void

export interface RepeatedReads {
  /** Remembers how a request with this entity tag is answered. */
  remember(request: FastifyRequest, reply: FastifyReply, etag: string): void
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
 * of are read again. Without a current body, the route reads it again. See docs/decisions/0046.
 */
export function createRepeatedReads(options: Options): RepeatedReads {
  const { app, guard, bodies, reads, toRequestId } = options
  const known = new LRUCache<string, KnownResponse>({
    maxSize: MAX_BYTES,
    sizeCalculation: (_response, text) => text.length + BYTES_OF_RESPONSE,
  })
  const listeners: ResponseListener[] = []

  function remember(request: FastifyRequest, reply: FastifyReply, etag: string): void {
    const { grant, cacheKey, raw, routeOptions, readAgain } = request
    const { cached, onCachedRead } = routeOptions.config
    if (!cached || !isRepeatable(request) || reply.hasHeader('set-cookie')) return
    const notModified = reply.statusCode === 304 ? { etag, body: '', length: '' } : undefined
    if (!cacheKey && (notModified || !readAgain)) return
    known.set(toText(raw, request.originalUrl), {
      grant,
      cached,
      notModified,
      head: toHead(reply),
      cacheKey,
      readAgain: notModified ? undefined : readAgain,
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
    earlier: KnownResponse,
    stamp: CacheStamp | undefined,
    response: ServerResponse,
    arrivedAt: number,
  ): boolean | Promise<boolean> {
    const { grant, cached, notModified, cacheKey, readAgain } = earlier
    const etag = stamp && toVersionTag(grant.caller, stamp, cached)
    if (!etag) return false
    const current = notModified ?? (cacheKey ? bodies.get(cacheKey) : undefined)
    if (current?.etag === etag) {
      reads.hits++
      return send(earlier, current, response, arrivedAt)
    }
    if (!readAgain) return false
    return readBody(earlier, readAgain, etag).then((read) =>
      send(earlier, read, response, arrivedAt),
    )
  }

  /** Reads the body and keeps it, unless the request wants it to be read each time. */
  async function readBody(
    { cacheKey }: KnownResponse,
    read: ReadJson,
    etag: string,
  ): Promise<CachedBody> {
    const body = toCachedBody(etag, await toBody(await read()))
    if (cacheKey) {
      reads.misses++
      bodies.set(cacheKey, body)
    }
    return body
  }

  function send(
    { grant, notModified, head, route, onCachedRead }: KnownResponse,
    { etag, body, length }: CachedBody,
    response: ServerResponse,
    arrivedAt: number,
  ): true {
    const status = notModified ? 304 : 200
    const own = ['etag', etag, 'x-request-id', toRequestId()]
    if (!notModified) own.push('content-length', length)
    response.writeHead(status, [...head, ...own]).end(body)
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

/** Leaves out what each response has of its own. */
function toHead(reply: FastifyReply): string[] {
  const { 'x-request-id': _, etag: __, 'content-length': ___, ...headers } = reply.getHeaders()
  return Object.entries(headers).flatMap(([name, value]) => [name, String(value)])
}
