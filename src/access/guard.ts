import type { FastifyInstance, FastifyRequest } from 'fastify'
import { LRUCache } from 'lru-cache'
import type { Storage } from '../db/open.ts'
import type { Stamp } from '../db/stamps.ts'
import { ApiError, forbidden, notFound } from '../errors.ts'
import { toId } from '../http/ids.ts'
import { ADMIN_LEVEL, findKeyHolder, type KeyHolder, updateKeyLastUsed } from './keys.ts'
import { allows, type RouteScope } from './scopes.ts'
import { createThrottle, type Throttle } from './throttle.ts'

/** Who asks, and about whose data: the second argument of every operation. */
export interface Caller {
  readonly projectId: number
  readonly userId: number
  readonly level: number
}

declare module 'fastify' {
  interface FastifyContextConfig {
    /** What the caller's key must hold. A route without one stops the server from starting. */
    scope?: RouteScope
  }
  interface FastifyRequest {
    caller: Caller
    keyHolder: KeyHolder
    stamp: Stamp
  }
}

const NO_PROJECT = 0
const LAST_USED_PRECISION_MS = 3_600_000

interface Known {
  readonly holder: KeyHolder
  /** The version of users, memberships and keys that the holder was read at. */
  readonly access: number
}

/** The one place that lets a request in: key, project, scope, membership, in this order. */
export function installGuard(app: FastifyInstance, { db, stamps }: Storage): void {
  const known = new LRUCache<string, Known>({ max: 1000 })
  const throttle = createThrottle()

  app.decorateRequest('caller')
  app.decorateRequest('keyHolder')
  app.decorateRequest('stamp')
  app.addHook('onRoute', ({ url, method, config }) => {
    if (!config?.scope) throw new Error(`${method} ${url} declares no scope`)
  })
  app.addHook('onRequest', async (request) => {
    const scope = request.routeOptions.config.scope
    if (scope === undefined || scope === 'public') return // undefined: no such route
    const key = requireBearer(request)
    const { project_id, id, dashboard_id } = request.params as Record<string, string | undefined>
    const projectId = toId(project_id) ?? NO_PROJECT
    const stamp = await stamps.read(projectId, toId(dashboard_id ?? id) ?? 0)
    const holder = await identify(request, key, stamp.access)
    await admit(request, scope, holder, stamp, project_id, projectId)
  })

  async function identify(request: FastifyRequest, key: string, access: number) {
    const found = known.get(key)
    if (found?.access === access) return requireUnexpired(found.holder)
    throttle.require(request.ip)
    const holder = await findKeyHolder(db, key)
    if (!holder) throw refuseKey(throttle, request.ip)
    known.set(key, { holder: noteUse(holder), access })
    return requireUnexpired(holder)
  }

  async function admit(
    request: FastifyRequest,
    scope: Exclude<RouteScope, 'public'>,
    holder: KeyHolder,
    stamp: Stamp,
    asked: string | undefined,
    askedId: number,
  ): Promise<void> {
    request.keyHolder = holder
    request.stamp = stamp
    let projectId = askedId
    if (asked === '@current') {
      projectId = holder.currentProject ?? NO_PROJECT
      const { id, dashboard_id } = request.params as Record<string, string | undefined>
      request.stamp = await stamps.read(projectId, toId(dashboard_id ?? id) ?? 0)
    }
    request.caller = { projectId, userId: holder.userId, level: holder.level }
    if (asked !== undefined && request.stamp.project === undefined) throw notFound('Project')
    if (scope !== 'key' && !allows(holder.scopes, scope)) {
      throw forbidden(`API key missing required scope '${scope}'`)
    }
    if (asked !== undefined) requireMember(holder, projectId)
  }

  /** Kept to the hour: a write per request would cost more than most requests. */
  function noteUse(holder: KeyHolder): KeyHolder {
    const last = holder.lastUsedAt ? Date.parse(holder.lastUsedAt) : 0
    if (Date.now() - last > LAST_USED_PRECISION_MS) {
      updateKeyLastUsed(db, holder.keyId).catch((err) => app.log.warn({ err }, 'last use not kept'))
    }
    return holder
  }
}

function requireBearer(request: FastifyRequest): string {
  const key = request.headers.authorization?.match(/^Bearer\s+(\S.*\S)\s*$/)?.[1]
  if (key) return key
  throw new ApiError(
    'not_authenticated',
    'Authentication credentials were not provided.',
    null,
    CHALLENGE,
  )
}

const CHALLENGE = { 'www-authenticate': 'Bearer' }

function refuseKey(throttle: Throttle, address: string): ApiError {
  throttle.countFailure(address)
  return new ApiError(
    'authentication_failed',
    'Personal API key found in request Authorization header is invalid.',
    null,
    CHALLENGE,
  )
}

function requireUnexpired(holder: KeyHolder): KeyHolder {
  if (holder.expiresAt === null || holder.expiresAt > new Date().toISOString()) return holder
  throw new ApiError(
    'authentication_failed',
    `Personal API key found in request Authorization header expired at ${holder.expiresAt}.`,
    null,
    CHALLENGE,
  )
}

function requireMember(holder: KeyHolder, projectId: number): void {
  if (holder.projects && !holder.projects.has(projectId)) {
    throw forbidden(`API key does not have access to the requested project: ID ${projectId}.`)
  }
  if (holder.level < ADMIN_LEVEL && !holder.memberOf.has(projectId)) {
    throw forbidden("You don't have access to the project.")
  }
}
