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

/** The user and project of a request: the second argument of every operation. */
export interface Caller {
  readonly projectId: number
  readonly userId: number
  readonly level: number
}

declare module 'fastify' {
  interface FastifyContextConfig {
    /** The scope that the caller's key needs. A route without one stops the server from starting. */
    scope?: RouteScope
    /** Requires an admin or owner of the organization. */
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
  readonly principal: Principal
  /** The version of users, memberships and keys at which the principal was read. */
  readonly access: number
  /** The stored time of the last use, in ms. */
  lastUsed: number
}

/** Decides about every request, in this order: key or session, project or organization, scope, membership, level. */
export function installGuard(app: FastifyInstance, { db, stamps }: Storage): void {
  const principals = new LRUCache<string, CachedPrincipal>({ max: 1000 })
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
    const { project_id, organization_id, id, dashboard_id } = request.params as Params
    const dashboardId = toId(dashboard_id ?? id) ?? 0
    let projectId = toId(project_id) ?? NO_PROJECT
    let stamp = await stamps.read(projectId, dashboardId)
    const principal = await identify(request.ip, credential, stamp.access)
    if (project_id === '@current') {
      projectId = principal.currentProject ?? NO_PROJECT
      stamp = await stamps.read(projectId, dashboardId)
    }
    if (project_id !== undefined && stamp.project === undefined) throw notFound('Project')
    if (organization_id !== undefined) requireOwnOrganization(principal, organization_id)
    if (scope === 'account') requireWholeAccount(principal)
    else if (scope !== 'key') requireScope(principal, scope)
    if (project_id !== undefined) requireMember(principal, projectId)
    if (adminOnly) requireAdmin(principal, organization_id !== undefined)
    request.principal = principal
    request.stamp = stamp
    request.caller = { projectId, userId: principal.userId, level: principal.level }
  })

  async function identify(
    address: string,
    credential: Credential,
    access: number,
  ): Promise<Principal> {
    const cacheKey = credential.key ?? `session ${credential.token}` // no key contains a space
    let entry = principals.get(cacheKey)
    if (entry?.access !== access) {
      throttle.require(address)
      entry = await lookUp(address, credential, access)
      principals.set(cacheKey, entry)
    }
    requireUnexpired(entry.principal)
    recordUse(entry)
    return entry.principal
  }

  async function lookUp(
    address: string,
    { key, token }: Credential,
    access: number,
  ): Promise<CachedPrincipal> {
    const principal =
      key === undefined ? await findSessionPrincipal(db, token) : await findApiKeyPrincipal(db, key)
    if (principal) {
      return { principal, access, lastUsed: Date.parse(principal.lastUsedAt ?? '') || 0 }
    }
    throttle.countFailure(address)
    throw key === undefined ? endedSession() : refusedKey('is invalid')
  }

  /** Writes at most once an hour, because a write per request would cost more than most requests. */
  function recordUse(entry: CachedPrincipal): void {
    if (Date.now() - entry.lastUsed < LAST_USED_PRECISION_MS) return
    entry.lastUsed = Date.now()
    const update = entry.principal.isSession ? updateSessionLastUsed : updateApiKeyLastUsed
    update(db, entry.principal.keyId).catch((err) =>
      app.log.warn({ err }, 'could not record last use'),
    )
  }
}

const CHALLENGE = { 'www-authenticate': 'Bearer' }

type Credential =
  | { readonly key: string; readonly token?: undefined }
  | { readonly key?: undefined; readonly token: string }

/** Reads the key in the header, or else the session cookie. */
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

/** Refuses limited keys, since control of the account means control of everything in it. */
function requireWholeAccount({ scopes, projects }: Principal): void {
  if (scopes.has('*') && projects === undefined) return
  throw forbidden('This needs a session, or an API key with every scope and for every project.')
}

function requireScope({ scopes }: Principal, scope: Scope): void {
  if (!grantsScope(scopes, scope)) throw forbidden(`API key missing required scope '${scope}'`)
}

function requireMember(principal: Principal, projectId: number): void {
  if (principal.projects && !principal.projects.has(projectId)) {
    throw forbidden(`API key does not have access to the requested project: ID ${projectId}.`)
  }
  if (principal.level < ADMIN_LEVEL && !principal.memberOf.has(projectId)) {
    throw forbidden("You don't have access to the project.")
  }
}

function requireOwnOrganization({ organizationId }: Principal, requested: string): void {
  if (requested !== '@current' && toUuid(requested) !== organizationId)
    throw notFound('Organization')
}

/** Refuses members, and keys limited to projects where the whole organization is affected. */
function requireAdmin({ level, projects }: Principal, affectsOrganization: boolean): void {
  if (level < ADMIN_LEVEL) {
    throw forbidden('This needs an admin or owner of the organization, and you are a member.')
  }
  if (affectsOrganization && projects) {
    throw forbidden('API key is limited to projects, and this affects the whole organization.')
  }
}
