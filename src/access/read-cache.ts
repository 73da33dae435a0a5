import type { FastifyInstance, FastifyRequest } from 'fastify'
import { LRUCache } from 'lru-cache'
import { requestOrigin } from '../http/page.ts'

/**
 * What a cached answer depends on besides its caller: one dashboard, or anything in the project. Those by the
 * minute hold figures of the last 24 hours, which grow old without a change.
 */
export type CacheDependency = 'dashboard' | 'project' | 'project-by-the-minute'

declare module 'fastify' {
  interface FastifyContextConfig {
    cached?: CacheDependency
  }
  interface FastifyRequest {
    /** Set when the answer to this request may be kept under this key. */
    cacheKey: string
  }
}

const MAX_BYTES = 24 * 1024 * 1024

interface Entry {
  readonly tag: string
  /** Bytes, if it is large: a string is sent faster up to some kilobytes, and more slowly beyond. */
  readonly body: string | Buffer
}

const LARGE = 6 * 1024

/**
 * Bodies of GETs, kept as sent. The tag moves with every change the body could show, and the key names all else
 * that it depends on: the caller, the address it was asked at, and what was asked for. Installed after the guard,
 * so that nobody gets here who may not read. See docs/decisions/0003.
 */
export function installReadCache(app: FastifyInstance): void {
  const bodies = new LRUCache<string, Entry>({
    maxSize: MAX_BYTES,
    sizeCalculation: ({ body }, key) => (body.length + key.length) * 2,
  })

  app.decorateRequest('cacheKey', '')

  app.addHook('onRequest', async (request, reply) => {
    const cached = request.routeOptions.config.cached
    // who asks for newer numbers is not content with what was sent before
    if (!cached || Object.hasOwn(request.query as object, 'refresh')) return
    const tag = tagOf(request, cached)
    if (!tag) return
    reply.headers({
      etag: tag,
      'cache-control': 'private, no-cache',
      vary: 'accept, authorization, cookie',
    })
    if (request.headers['cache-control']?.includes('no-cache')) return
    const key = keyOf(request)
    const entry = bodies.get(key)
    if (entry?.tag === tag) {
      return reply.header('content-type', 'application/json; charset=utf-8').send(entry.body)
    }
    request.cacheKey = key
  })

  app.addHook('onSend', async (request, reply, payload) => {
    const tag = reply.getHeader('etag')
    if (typeof tag !== 'string') return payload
    if (reply.statusCode !== 200 || (typeof payload !== 'string' && !Buffer.isBuffer(payload))) {
      reply.removeHeader('etag')
      return payload
    }
    if (request.cacheKey && typeof payload === 'string') {
      const body = payload.length < LARGE ? payload : Buffer.from(payload)
      bodies.set(request.cacheKey, { tag, body })
    }
    if (!isKnown(request.headers['if-none-match'], tag)) return payload
    reply.code(304).removeHeader('content-length').removeHeader('content-type')
    return ''
  })
}

/** A proxy that compresses marks a tag as weak. */
const isKnown = (header: string | undefined, tag: string): boolean =>
  header?.split(',').some((known) => known.trim().replace(/^W\//, '') === tag) ?? false

/** undefined: there is nothing whose state the answer could be tied to. */
function tagOf({ caller, stamp }: FastifyRequest, cached: CacheDependency): string | undefined {
  const who = `${caller.userId}.${stamp.access}`
  if (cached === 'dashboard') {
    return stamp.dashboard === undefined ? undefined : `"d${stamp.dashboard}-${who}"`
  }
  if (cached === 'project') return `"p${stamp.project}-${who}"`
  return `"p${stamp.project}-${who}-${Math.floor(Date.now() / 60_000)}"`
}

/** The method is in it: the answer to HEAD has no body. */
const keyOf = (request: FastifyRequest): string =>
  [
    request.method,
    request.caller.userId,
    requestOrigin(request),
    request.originalUrl,
    request.headers.accept,
  ].join(' ')
