import type { FastifyInstance, FastifyRequest } from 'fastify'
import { LRUCache } from 'lru-cache'
import type { CacheStamp } from '../db/cache-stamps.ts'
import type { Storage } from '../db/open.ts'
import { now } from '../db/values.ts'
import { ApiError, notFound } from '../errors.ts'
import { toId } from '../http/ids.ts'
import { missingEndpoint } from '../http/missing-endpoint.ts'
import { findApiKeyPrincipal, type Principal, updateApiKeyLastUsed } from './keys.ts'
import {
  requireAdmin,
  requireMember,
  requireOwnOrganization,
  requireScope,
  requireWholeAccount,
} from './requirements.ts'
import type { RouteScope, Scope } from './scopes.ts'
import { lacksSecondFactor, requireSecondFactor } from './second-factor-rule.ts'
import {
  isSafeMethod,
  readSessionCookie,
  refuseOtherSites,
  requireOwnOrigin,
} from './session-cookie.ts'
import { findSessionPrincipal, updateSessionLastUsed } from './sessions.ts'
import { createThrottle } from './throttle.ts'
import {
  findViewerRights,
  type OpenToViewers,
  requireOpenToViewers,
  toViewerScopes,
} from './viewers.ts'

/** The user and project of a request: the second argument of every operation. */
export interface Caller {
  readonly projectId: number
  readonly userId: number
  readonly level: number
  /** The scopes of the key; a session can do everything. A viewer has few of either. */
  readonly scopes: ReadonlySet<string>
  /** Whether the user may only view the project. */
  readonly isViewer: boolean
}

declare module 'fastify' {
  interface FastifyContextConfig {
    /** The scope that the caller's key needs. A route without one stops the server from starting. */
    scope?: RouteScope
    /** Requires an admin or owner of the organization. */
    adminOnly?: boolean
    /** Opens the route to viewers of the project. A route without it refuses them: docs/decisions/0053. */
    viewers?: OpenToViewers
    /**
     * The pages whose scripts may call a public route: those of this server, or those of any origin, with the token of
     * a project at most. `any` allows credentials, because older clients send them with everything, and reads no cookie:
     * docs/decisions/0039. A public route that changes something and declares none stops the server from starting.
     */
    pages?: 'own' | 'any'
    /** Opens the route to sessions that lack the second factor that the organization requires. */
    withoutSecondFactor?: true
    /** Marks a route that only refuses, so `Allow` does not list its method. */
    alwaysRefused?: boolean
  }
  interface FastifyRequest {
    caller: Caller
    principal: Principal
    grant: Grant
    /**
     * Throws, as a new request would, if the caller has lost the key, session, membership, level or scope, or lacks a
     * further scope that the body needs.
     */
    requireAccess(...furtherScopes: readonly Scope[]): Promise<void>
  }
}

const NO_PROJECT = 0
/** A body that takes longer is followed by a second check, because access may have been revoked meanwhile. */
const SLOW_BODY_MS = 500
const LAST_USED_PRECISION_MS = 3_600_000

type Params = Readonly<Record<string, string | undefined>>

interface CachedPrincipal {
  readonly principal: Principal
  /** The version of users, memberships and keys at which the principal was read. */
  readonly access: number
  /** The stored time of the last use, in ms. */
  lastUsed: number
}

/** An authorized caller, and the versions of the data at that time. */
export interface Grant {
  readonly caller: Caller
  /** 0 if the URL names none. */
  readonly dashboardId: number
  readonly stamp: CacheStamp
  readonly entry: CachedPrincipal
}

export interface Guard {
  /** Returns the current versions if the same request would be authorized again, or else undefined. */
  recheck(grant: Grant): CacheStamp | undefined | Promise<CacheStamp | undefined>
}

/** Checks every request, in this order: page, key or session, second factor, project or organization, scope, membership, level in the project, level in the organization. */
export function installGuard(app: FastifyInstance, { db, stamps }: Storage): Guard {
  const principals = new LRUCache<string, CachedPrincipal>({ max: 1000 })
  const throttle = createThrottle()

  app.decorateRequest('caller')
  app.decorateRequest('principal')
  app.decorateRequest('grant')
  app.addHook('onRoute', ({ url, method, config }) => {
    if (!config?.scope) throw new Error(`${method} ${url} declares no scope`)
    const isSafe = [method].flat().every(isSafeMethod)
    if (config.scope === 'public' && !config.pages && !config.alwaysRefused && !isSafe) {
      throw new Error(`${method} ${url} is public and declares no pages`)
    }
  })
  app.decorateRequest(
    'requireAccess',
    async function (this: FastifyRequest, ...furtherScopes: readonly Scope[]) {
      if (!isGuarded(this)) return
      const { caller } = await authorize(this, this.caller.projectId)
      for (const scope of furtherScopes) requireScope(caller, scope)
    },
  )
  app.addHook('onRequest', async (request) => {
    if (request.routeOptions.config.pages === 'own') refuseOtherSites(request)
    if (isGuarded(request)) Object.assign(request, await authorize(request))
  })
  app.addHook('preHandler', async (request, reply) => {
    if (reply.elapsedTime > SLOW_BODY_MS) await request.requireAccess()
  })

  function recheck(grant: Grant): ReturnType<Guard['recheck']> {
    const stamp = stamps.read(grant.caller.projectId, grant.dashboardId)
    return stamp instanceof Promise
      ? stamp.then((read) => recheckAt(grant, read))
      : recheckAt(grant, stamp)
  }

  /** All that the guard checks depends on the request, the version of access, and the time. */
  function recheckAt({ entry }: Grant, current: CacheStamp): CacheStamp | undefined {
    if (current.access !== entry.access || isExpired(entry.principal)) return undefined
    if (lacksSecondFactor(entry.principal)) return undefined
    recordUse(entry)
    return current
  }

  /** Checks what the route requires. `knownProjectId` is what `@current` meant when the request began. */
  async function authorize(
    request: FastifyRequest,
    knownProjectId?: number,
  ): Promise<Pick<FastifyRequest, 'principal' | 'grant' | 'caller'>> {
    const { scope, adminOnly = false, viewers, withoutSecondFactor } = request.routeOptions.config
    const { project_id, organization_id } = request.params as Params
    const { projectId, ...found } = await resolve(request, knownProjectId)
    const { stamp, entry } = found
    const { principal } = entry
    if (!withoutSecondFactor) requireSecondFactor(principal)
    if (project_id !== undefined && stamp.project === undefined) throw notFound('Project')
    if (organization_id !== undefined) requireOwnOrganization(principal, organization_id)
    if (scope === 'account') requireWholeAccount(principal)
    else if (scope !== 'key') requireScope(principal, scope as Scope)
    if (project_id !== undefined) requireMember(principal, projectId)
    const viewer = findViewerRights(principal, project_id === undefined ? undefined : projectId)
    if (viewer) requireOpenToViewers(viewer, viewers)
    if (adminOnly) requireAdmin(principal, organization_id !== undefined)
    const { userId, level } = principal
    const isViewer = viewer !== undefined
    const scopes = isViewer ? toViewerScopes(principal.scopes) : principal.scopes
    const caller = { projectId, userId, level, scopes, isViewer }
    return { principal, caller, grant: { ...found, caller } }
  }

  /** Finds who sends a request and which project it names. `@current` depends on the former. */
  async function resolve(request: FastifyRequest, knownProjectId: number | undefined) {
    const { project_id, id, dashboard_id } = request.params as Params
    const dashboardId = toId(dashboard_id ?? id) ?? 0
    const credential = requireCredential(request)
    const named = knownProjectId ?? toId(project_id) ?? NO_PROJECT
    const stamp = await stamps.read(named, dashboardId)
    const entry = await identify(request.ip, credential, stamp.access)
    if (project_id !== '@current' || knownProjectId !== undefined) {
      return { entry, projectId: named, dashboardId, stamp }
    }
    const projectId = entry.principal.currentProject ?? NO_PROJECT
    return { entry, projectId, dashboardId, stamp: await stamps.read(projectId, dashboardId) }
  }

  async function identify(
    address: string,
    credential: Credential,
    access: number,
  ): Promise<CachedPrincipal> {
    const cacheKey = credential.key ?? `session ${credential.token}` // no key contains a space
    let entry = principals.get(cacheKey)
    if (entry?.access !== access) {
      throttle.require(address)
      entry = await lookUp(address, credential, access)
      principals.set(cacheKey, entry)
    }
    requireUnexpired(entry.principal)
    recordUse(entry)
    return entry
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

  return { recheck }
}

function isGuarded({ routeOptions, url }: FastifyRequest): boolean {
  const { scope } = routeOptions.config
  if (scope === undefined) throw missingEndpoint(url)
  return scope !== 'public'
}

const CHALLENGE = { 'www-authenticate': 'Bearer' }

type Credential =
  | { readonly key: string; readonly token?: undefined }
  | { readonly key?: undefined; readonly token: string }

/** Reads the key from the header, or else the session cookie. */
function requireCredential(request: FastifyRequest): Credential {
  const { authorization } = request.headers
  const key = authorization?.match(/^Bearer\s+(\S.*\S)\s*$/i)?.[1]
  if (key) return { key }
  const token = authorization === undefined ? readSessionCookie(request) : undefined
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

const isExpired = ({ expiresAt }: Principal): boolean => expiresAt !== null && expiresAt <= now()

function requireUnexpired(principal: Principal): void {
  if (!isExpired(principal)) return
  throw principal.isSession ? endedSession() : refusedKey(`expired at ${principal.expiresAt}`)
}
