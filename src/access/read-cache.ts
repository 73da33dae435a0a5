import type { FastifyInstance, FastifyRequest } from 'fastify'
import { LRUCache } from 'lru-cache'
import { requestOrigin } from '../http/page.ts'
import type { CacheReads } from '../telemetry/cache-reads.ts'
import { grantsScope } from './scopes.ts'

/**
 * The data that a cached response depends on besides its caller: one dashboard, or the whole project. Responses by the
 * minute contain counts of the last 24 hours, which become stale without a change.
 */
export type CacheDependency = 'dashboard' | 'project' | 'project-by-the-minute'

declare module 'fastify' {
  interface FastifyContextConfig {
    cached?: CacheDependency
  }
  interface FastifyRequest {
    /** Set if the response may be cached, under this key. */
    cacheKey: string
  }
}

const MAX_BYTES = 24 * 1024 * 1024

interface Entry {
  readonly etag: string
  /** A buffer if it is large: strings are faster to send up to a few kilobytes, buffers beyond. */
  readonly body: string | Buffer
}

const LARGE_BODY = 6 * 1024

/**
 * Caches bodies of GET responses. The ETag changes with all data that the body could show; the cache key contains the
 * rest that the body depends on: origin, URL and caller. Must be installed after the guard, so that only authorized
 * callers reach the cache. See docs/decisions/0003.
 */
export function installReadCache(app: FastifyInstance): CacheReads {
  const reads: CacheReads = { hits: 0, misses: 0 }
  const bodies = new LRUCache<string, Entry>({
    maxSize: MAX_BYTES,
    sizeCalculation: ({ body }, key) => (body.length + key.length) * 2,
  })

  app.decorateRequest('cacheKey', '')

  app.addHook('onRequest', async (request, reply) => {
    const cached = request.routeOptions.config.cached
    // `refresh` requests newer results than the cached ones
    if (!cached || Object.hasOwn(request.query as object, 'refresh')) return
    const etag = toEtag(request, cached)
    if (!etag) return
    reply.headers({
      etag,
      'cache-control': 'private, no-cache',
      vary: 'accept, authorization, cookie',
    })
    if (request.headers['cache-control']?.includes('no-cache')) return
    const key = toCacheKey(request)
    const entry = bodies.get(key)
    const isHit = entry?.etag === etag
    reads[isHit ? 'hits' : 'misses']++
    if (isHit) {
      return reply.header('content-type', 'application/json; charset=utf-8').send(entry.body)
    }
    request.cacheKey = key
  })

  app.addHook('onSend', async (request, reply, payload) => {
    const etag = reply.getHeader('etag')
    if (typeof etag !== 'string') return payload
    if (reply.statusCode !== 200 || (typeof payload !== 'string' && !Buffer.isBuffer(payload))) {
      reply.removeHeader('etag')
      return payload
    }
    const isLarge = typeof payload === 'string' && payload.length >= LARGE_BODY
    const body = isLarge ? Buffer.from(payload) : payload // converted once, to keep and to send
    if (request.cacheKey) bodies.set(request.cacheKey, { etag, body })
    if (!matchesEtag(request.headers['if-none-match'], etag)) return body
    reply.code(304).removeHeader('content-length').removeHeader('content-type')
    return ''
  })
  return reads
}

/** Ignores `W/`, which a compressing proxy adds. */
const matchesEtag = (header: string | undefined, etag: string): boolean =>
  header?.split(',').some((item) => item.trim().replace(/^W\//, '') === etag) ?? false

/** Returns undefined if the response depends on no record. */
function toEtag({ caller, stamp }: FastifyRequest, cached: CacheDependency): string | undefined {
  const callerState = `${caller.userId}.${stamp.access}`
  if (cached === 'dashboard') {
    return stamp.dashboard === undefined ? undefined : `"d${stamp.dashboard}-${callerState}"`
  }
  if (cached === 'project') return `"p${stamp.project}-${callerState}"`
  return `"p${stamp.project}-${callerState}-${Math.floor(Date.now() / 60_000)}"`
}

/** Contains the method, because a HEAD response has no body, and the one scope that affects query parameters. */
const toCacheKey = (request: FastifyRequest): string =>
  [
    request.method,
    request.caller.userId,
    grantsScope(request.caller.scopes, 'query:read'),
    requestOrigin(request),
    request.originalUrl,
    request.headers.accept,
  ].join(' ')
