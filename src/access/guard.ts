import type { FastifyInstance, FastifyRequest } from 'fastify'
import { LRUCache } from 'lru-cache'
import type { Storage } from '../db/open.ts'
import type { Stamp } from '../db/stamps.ts'
import { now } from '../db/values.ts'
import { ApiError, forbidden, notFound } from '../errors.ts'
import { toId, toUuid } from '../http/ids.ts'
import { ADMIN_LEVEL, findKeyHolder, type KeyHolder, updateKeyLastUsed } from './keys.ts'
import { allows, type RouteScope, type Scope } from './scopes.ts'
import { createThrottle } from './throttle.ts'

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
    /** Only admins and owners of the organisation may. */
    adminOnly?: boolean
  }
  interface FastifyRequest {
    caller: Caller
    keyHolder: KeyHolder
    stamp: Stamp
  }
}

const NO_PROJECT = 0
const LAST_USED_PRECISION_MS = 3_600_000

type Params = Readonly<Record<string, string | undefined>>

interface Known {
  readonly holder: KeyHolder
  /** The version of users, memberships and keys that the holder was read at. */
  readonly access: number
  /** As far as it is kept. */
  lastUsed: number
}

/** The one place that lets a request in: key, project or organisation, scope, membership and level, in this order. */
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
    const { scope, adminOnly = false } = request.routeOptions.config
    if (scope === undefined) throw new ApiError('not_found', 'Endpoint not found.')
    if (scope === 'public') return
    const key = requireBearer(request)
    const { project_id: asked, organization_id, id, dashboard_id } = request.params as Params
    const dashboardId = toId(dashboard_id ?? id) ?? 0
    let projectId = toId(asked) ?? NO_PROJECT
    let stamp = await stamps.read(projectId, dashboardId)
    const holder = await identify(request.ip, key, stamp.access)
    if (asked === '@current') {
      projectId = holder.currentProject ?? NO_PROJECT
      stamp = await stamps.read(projectId, dashboardId)
    }
    if (asked !== undefined && stamp.project === undefined) throw notFound('Project')
    if (organization_id !== undefined) requireOwnOrganization(holder, organization_id)
    if (scope !== 'key') requireScope(holder, scope)
    if (asked !== undefined) requireMember(holder, projectId)
    if (adminOnly) requireAdmin(holder, organization_id !== undefined)
    request.keyHolder = holder
    request.stamp = stamp
    request.caller = { projectId, userId: holder.userId, level: holder.level }
  })

  async function identify(address: string, key: string, access: number): Promise<KeyHolder> {
    let entry = known.get(key)
    if (entry?.access !== access) {
      throttle.require(address)
      entry = await lookUp(address, key, access)
      known.set(key, entry)
    }
    noteUse(entry)
    return requireUnexpired(entry.holder)
  }

  async function lookUp(address: string, key: string, access: number): Promise<Known> {
    const holder = await findKeyHolder(db, key)
    if (holder) return { holder, access, lastUsed: Date.parse(holder.lastUsedAt ?? '') || 0 }
    throttle.countFailure(address)
    throw refusedKey('is invalid')
  }

  /** Kept to the hour: a write per request would cost more than most requests. */
  function noteUse(entry: Known): void {
    if (Date.now() - entry.lastUsed < LAST_USED_PRECISION_MS) return
    entry.lastUsed = Date.now()
    updateKeyLastUsed(db, entry.holder.keyId).catch((err) =>
      app.log.warn({ err }, 'last use not kept'),
    )
  }
}

const CHALLENGE = { 'www-authenticate': 'Bearer' }

function requireBearer(request: FastifyRequest): string {
  const key = request.headers.authorization?.match(/^Bearer\s+(\S.*\S)\s*$/)?.[1]
  if (key) return key
  const detail = 'Authentication credentials were not provided.'
  throw new ApiError('not_authenticated', detail, null, CHALLENGE)
}

function refusedKey(why: string): ApiError {
  const detail = `Personal API key found in request Authorization header ${why}.`
  return new ApiError('authentication_failed', detail, null, CHALLENGE)
}

function requireUnexpired(holder: KeyHolder): KeyHolder {
  if (holder.expiresAt !== null && holder.expiresAt <= now()) {
    throw refusedKey(`expired at ${holder.expiresAt}`)
  }
  return holder
}

function requireScope({ scopes }: KeyHolder, scope: Scope): void {
  if (!allows(scopes, scope)) throw forbidden(`API key missing required scope '${scope}'`)
}

function requireMember(holder: KeyHolder, projectId: number): void {
  if (holder.projects && !holder.projects.has(projectId)) {
    throw forbidden(`API key does not have access to the requested project: ID ${projectId}.`)
  }
  if (holder.level < ADMIN_LEVEL && !holder.memberOf.has(projectId)) {
    throw forbidden("You don't have access to the project.")
  }
}

function requireOwnOrganization({ organizationId }: KeyHolder, asked: string): void {
  if (asked !== '@current' && toUuid(asked) !== organizationId) throw notFound('Organization')
}

/** A key that is limited to projects must not change what all the others use. */
function requireAdmin({ level, projects }: KeyHolder, concernsAll: boolean): void {
  if (level < ADMIN_LEVEL) {
    throw forbidden('This needs an admin or owner of the organisation, and you are a member.')
  }
  if (concernsAll && projects) {
    throw forbidden('API key is limited to projects, and this concerns the whole organisation.')
  }
}
