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

/** Strings are faster to send up to a few kilobytes, buffers beyond: 13 kB take 16 µs instead of 18, 52 kB 26 instead of 34. */
const LARGE_BODY = 4 * 1024

/** Converts a large body once, to keep and to send. */
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
  /** Names and values, one after the other. Those of each response are at the end and written over. */
  readonly head: string[]
  /** The versions at the last response, and the entity tag that was made of them. */
  latest: { readonly stamp: CacheStamp; readonly etag: string } | undefined
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
      head: toHead(reply, notModified === undefined),
      latest: undefined,
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
    const { notModified, cacheKey, readAgain } = earlier
    const etag = stamp && toEtag(earlier, stamp)
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

  /** Versions that have not changed are the same object, unless another server can change them. */
  function toEtag(earlier: KnownResponse, stamp: CacheStamp): string | undefined {
    const { latest, grant, cached } = earlier
    if (latest?.stamp === stamp) return latest.etag
    const etag = toVersionTag(grant.caller, stamp, cached)
    if (etag && cached !== 'project-by-the-minute') earlier.latest = { stamp, etag }
    return etag
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
    const end = head.length
    head[end - ETAG] = etag
    head[end - REQUEST_ID] = toRequestId()
    if (!notModified) head[end - LENGTH] = length
    response.writeHead(status, head).end(body)
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

/** The places, from the end of a head, of the values that each response has of its own. */
const LENGTH = 5
const ETAG = 3
const REQUEST_ID = 1

function toHead(reply: FastifyReply, hasBody: boolean): string[] {
  const { 'x-request-id': _, etag: __, 'content-length': ___, ...headers } = reply.getHeaders()
  const shared = Object.entries(headers).flatMap(([name, value]) => [name, String(value)])
  return [...shared, ...(hasBody ? ['content-length', ''] : []), 'etag', '', 'x-request-id', '']
}
