import { forbidden, notFound } from '../errors.ts'
import { toUuid } from '../http/ids.ts'
import { ADMIN_LEVEL, type Principal } from './keys.ts'
import { grantsScope, type Scope } from './scopes.ts'
import { viewersCannot } from './viewers.ts'

/** Refuses limited keys, since control of the account means control of everything in it. */
export function requireWholeAccount({ scopes, projects }: Principal): void {
  if (scopes.has('*') && projects === undefined) return
  throw forbidden('This needs a session, or an API key with every scope and for every project.')
}

interface ScopeHolder {
  readonly scopes: ReadonlySet<string>
  readonly isViewer?: boolean
}

export function requireScope({ scopes, isViewer }: ScopeHolder, scope: Scope): void {
  if (grantsScope(scopes, scope)) return
  throw isViewer ? viewersCannot() : forbidden(`API key missing required scope '${scope}'`)
}

export function requireMember(principal: Principal, projectId: number): void {
  if (principal.projects && !principal.projects.has(projectId)) {
    throw forbidden(`API key does not have access to the requested project: ID ${projectId}.`)
  }
  if (principal.level < ADMIN_LEVEL && !principal.memberOf.has(projectId)) {
    throw forbidden("You don't have access to the project.")
  }
}

export function requireOwnOrganization({ organizationId }: Principal, requested: string): void {
  if (requested !== '@current' && toUuid(requested) !== organizationId)
    throw notFound('Organization')
}

/** Refuses members, and keys limited to projects where the whole organization is affected. */
export function requireAdmin({ level, projects }: Principal, affectsOrganization: boolean): void {
  if (level < ADMIN_LEVEL) {
    throw forbidden('This needs an admin or owner of the organization, and you are a member.')
  }
  if (affectsOrganization && projects) {
    throw forbidden('API key is limited to projects, and this affects the whole organization.')
  }
}
