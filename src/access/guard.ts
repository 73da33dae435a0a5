import type { FastifyInstance, FastifyRequest } from 'fastify'
import { LRUCache } from 'lru-cache'
import type { CacheStamp } from '../db/cache-stamps.ts'
import type { Storage } from '../db/open.ts'
import { now } from '../db/values.ts'
import { ApiError, forbidden, notFound } from '../errors.ts'
import { toId, toUuid } from '../http/ids.ts'
import { ADMIN_LEVEL, findApiKeyPrincipal, type Principal, updateApiKeyLastUsed } from './keys.ts'
import { grantsScope, type RouteScope, type Scope } from './scopes.ts'
import { readCookie, requireOwnOrigin } from './session-cookie.ts'
import { findSessionPrincipal, updateSessionLastUsed } from './sessions.ts'
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
    principal: Principal
    stamp: CacheStamp
  }
}

const NO_PROJECT = 0
const LAST_USED_PRECISION_MS = 3_600_000

type Params = Readonly<Record<string, string | undefined>>

interface CachedPrincipal {
  readonly holder: Principal
  /** The version of users, memberships and keys that the holder was read at. */
  readonly access: number
  /** As far as it is kept. */
  lastUsed: number
}

/** The one place that lets a request in: key or session, project or organisation, scope, membership and level, in this order. */
export function installGuard(app: FastifyInstance, { db, stamps }: Storage): void {
  const known = new LRUCache<string, CachedPrincipal>({ max: 1000 })
  const throttle = createThrottle()

  app.decorateRequest('caller')
  app.decorateRequest('principal')
  app.decorateRequest('stamp')
  app.addHook('onRoute', ({ url, method, config }) => {
    if (!config?.scope) throw new Error(`${method} ${url} declares no scope`)
  })
  app.addHook('onRequest', async (request) => {
    const { scope, adminOnly = false } = request.routeOptions.config
    if (scope === undefined) throw new ApiError('not_found', 'Endpoint not found.')
    if (scope === 'public') return
    const credential = requireCredential(request)
    const { project_id: asked, organization_id, id, dashboard_id } = request.params as Params
    const dashboardId = toId(dashboard_id ?? id) ?? 0
    let projectId = toId(asked) ?? NO_PROJECT
    let stamp = await stamps.read(projectId, dashboardId)
    const holder = await identify(request.ip, credential, stamp.access)
    if (asked === '@current') {
      projectId = holder.currentProject ?? NO_PROJECT
      stamp = await stamps.read(projectId, dashboardId)
    }
    if (asked !== undefined && stamp.project === undefined) throw notFound('Project')
    if (organization_id !== undefined) requireOwnOrganization(holder, organization_id)
    if (scope === 'account') requireWholeAccount(holder)
    else if (scope !== 'key') requireScope(holder, scope)
    if (asked !== undefined) requireMember(holder, projectId)
    if (adminOnly) requireAdmin(holder, organization_id !== undefined)
    request.principal = holder
    request.stamp = stamp
    request.caller = { projectId, userId: holder.userId, level: holder.level }
  })

  async function identify(
    address: string,
    credential: Credential,
    access: number,
  ): Promise<Principal> {
    const name = credential.key ?? `session ${credential.token}` // no key holds a space
    let entry = known.get(name)
    if (entry?.access !== access) {
      throttle.require(address)
      entry = await lookUp(address, credential, access)
      known.set(name, entry)
    }
    requireUnexpired(entry.holder)
    noteUse(entry)
    return entry.holder
  }

  async function lookUp(
    address: string,
    { key, token }: Credential,
    access: number,
  ): Promise<CachedPrincipal> {
    const holder =
      key === undefined ? await findSessionPrincipal(db, token) : await findApiKeyPrincipal(db, key)
    if (holder) return { holder, access, lastUsed: Date.parse(holder.lastUsedAt ?? '') || 0 }
    throttle.countFailure(address)
    throw key === undefined ? endedSession() : refusedKey('is invalid')
  }

  /** Kept to the hour: a write per request would cost more than most requests. */
  function noteUse(entry: CachedPrincipal): void {
    if (Date.now() - entry.lastUsed < LAST_USED_PRECISION_MS) return
    entry.lastUsed = Date.now()
    const update = entry.holder.isSession ? updateSessionLastUsed : updateApiKeyLastUsed
    update(db, entry.holder.keyId).catch((err) => app.log.warn({ err }, 'last use not kept'))
  }
}

const CHALLENGE = { 'www-authenticate': 'Bearer' }

type Credential =
  | { readonly key: string; readonly token?: undefined }
  | { readonly key?: undefined; readonly token: string }

/** A key in the header, or else the cookie of somebody who is signed in. */
function requireCredential(request: FastifyRequest): Credential {
  const { authorization } = request.headers
  const key = authorization?.match(/^Bearer\s+(\S.*\S)\s*$/)?.[1]
  if (key) return { key }
  const token = authorization === undefined ? readCookie(request) : undefined
  if (token) {
    requireOwnOrigin(request)
    return { token }
  }
  const detail = 'Authentication credentials were not provided.'
  throw new ApiError('not_authenticated', detail, null, CHALLENGE)
}

function refusedKey(why: string): ApiError {
  const detail = `Personal API key found in request Authorization header ${why}.`
  return new ApiError('authentication_failed', detail, null, CHALLENGE)
}

const endedSession = (): ApiError =>
  new ApiError('authentication_failed', 'Your session has ended. Sign in again.', null, CHALLENGE)

function requireUnexpired({ expiresAt, isSession }: Principal): void {
  if (expiresAt === null || expiresAt > now()) return
  throw isSession ? endedSession() : refusedKey(`expired at ${expiresAt}`)
}

/** Who may change the account may become whoever they like in it: a key for one purpose must not. */
function requireWholeAccount({ scopes, projects }: Principal): void {
  if (scopes.has('*') && projects === undefined) return
  throw forbidden('This needs a session, or an API key with every scope and for every project.')
}

function requireScope({ scopes }: Principal, scope: Scope): void {
  if (!grantsScope(scopes, scope)) throw forbidden(`API key missing required scope '${scope}'`)
}

function requireMember(holder: Principal, projectId: number): void {
  if (holder.projects && !holder.projects.has(projectId)) {
    throw forbidden(`API key does not have access to the requested project: ID ${projectId}.`)
  }
  if (holder.level < ADMIN_LEVEL && !holder.memberOf.has(projectId)) {
    throw forbidden("You don't have access to the project.")
  }
}

function requireOwnOrganization({ organizationId }: Principal, asked: string): void {
  if (asked !== '@current' && toUuid(asked) !== organizationId) throw notFound('Organization')
}

/** A key that is limited to projects must not change what all the others use. */
function requireAdmin({ level, projects }: Principal, concernsAll: boolean): void {
  if (level < ADMIN_LEVEL) {
    throw forbidden('This needs an admin or owner of the organisation, and you are a member.')
  }
  if (concernsAll && projects) {
    throw forbidden('API key is limited to projects, and this concerns the whole organisation.')
  }
}
