import type { FastifyInstance, FastifyRequest } from 'fastify'
import { LRUCache } from 'lru-cache'
import { requestOrigin } from '../http/page.ts'
import type { CacheReads } from '../telemetry/cache-reads.ts'
import { type CacheDependency, toVersionTag } from './cache-dependency.ts'
import type { Grant, Guard } from './guard.ts'
import {
  type CachedBody,
  createRepeatedReads,
  type RepeatedReads,
  toCachedBody,
} from './repeated-reads.ts'
import { grantsScope } from './scopes.ts'

declare module 'fastify' {
  interface FastifyContextConfig {
    cached?: CacheDependency
    /** Called after each response that could come from the cache, whether it did or not. */
    onCachedRead?: (grant: Grant) => void
  }
  interface FastifyRequest {
    /** Set if the response may be cached, under this key. */
    cacheKey: string
  }
}

const MAX_BYTES = 24 * 1024 * 1024

export interface ReadCache extends Pick<RepeatedReads, 'respond' | 'onResponse'> {
  readonly reads: CacheReads
}

/**
 * Caches bodies of GET responses. The ETag changes with all data that the body could show; the cache key contains the
 * rest that the body depends on: origin, URL and caller. Must be installed after the guard, so that only authorized
 * callers reach the cache. See docs/decisions/0003.
 */
export function installReadCache(
  app: FastifyInstance,
  guard: Guard,
  toRequestId: () => string,
): ReadCache {
  const reads: CacheReads = { hits: 0, misses: 0 }
  const bodies = new LRUCache<string, CachedBody>({
    maxSize: MAX_BYTES,
    sizeCalculation: ({ body }, key) => (body.length + key.length) * 2,
  })
  const repeated = createRepeatedReads({ app, guard, bodies, reads, toRequestId })

  app.decorateRequest('cacheKey', '')
  app.decorateRequest('readAgain', undefined)

  app.addHook('onRequest', async (request, reply) => {
    const { cached } = request.routeOptions.config
    // `refresh` requests newer results than the cached ones
    if (!cached || Object.hasOwn(request.query as object, 'refresh')) return
    const { caller, stamp } = request.grant
    const etag = toVersionTag(caller, stamp, cached)
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
    request.cacheKey = key
    if (isHit) {
      return reply.header('content-type', 'application/json; charset=utf-8').send(entry.body)
    }
  })

  app.addHook('onSend', async (request, reply, payload) => {
    const etag = reply.getHeader('etag')
    if (typeof etag !== 'string') return payload
    if (reply.statusCode !== 200 || (typeof payload !== 'string' && !Buffer.isBuffer(payload))) {
      reply.removeHeader('etag')
      return payload
    }
    const cached = toCachedBody(etag, payload)
    const isKnown = matchesEtag(request.headers['if-none-match'], etag)
    if (isKnown) reply.code(304).removeHeader('content-length').removeHeader('content-type')
    if (request.cacheKey) bodies.set(request.cacheKey, cached)
    repeated.remember(request, reply, etag)
    return isKnown ? '' : cached.body
  })

  app.addHook('onResponse', (request, reply, done) => {
    const { onCachedRead } = request.routeOptions.config
    if (onCachedRead && reply.hasHeader('etag')) onCachedRead(request.grant)
    done()
  })
  return { reads, respond: repeated.respond, onResponse: repeated.onResponse }
}

/** Ignores `W/`, which a compressing proxy adds. */
const matchesEtag = (header: string | undefined, etag: string): boolean =>
  header?.split(',').some((item) => item.trim().replace(/^W\//, '') === etag) ?? false

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
