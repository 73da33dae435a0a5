import type { Principal } from '#server/access/keys.ts'
import { grantsScope, type Scope } from '#server/access/scopes.ts'
import { forbidden } from '#server/errors.ts'

export interface KeyPermissions {
  readonly scopes: readonly string[]
  /** null: every project of its owner. */
  readonly projects: readonly number[] | null
  /** null: does not expire. */
  readonly expires_at: string | null
}

/** Prevents privilege escalation by creating or changing a key. */
export function requireNoEscalation(principal: Principal, wanted: KeyPermissions): void {
  const excess = findExcess(principal, wanted)
  if (excess) throw forbidden(`A key cannot grant more than it has: ${excess}.`)
}

/** Keeps a weaker key from managing a stronger one: rolling it would reveal its new value. */
export function requireNotStronger(
  principal: Principal,
  key: KeyPermissions & { id: string; label: string },
) {
  if (key.id === principal.keyId) return
  const excess = findExcess(principal, key)
  if (excess) throw forbidden(`The key "${key.label}" has more permissions than yours: ${excess}.`)
}

function findExcess(principal: Principal, { scopes, projects, expires_at }: KeyPermissions) {
  const missing = scopes.find((scope) => !covers(principal.scopes, scope))
  if (missing !== undefined) return `yours lacks the scope '${missing}'`
  const own = principal.projects
  const isWider = own && (projects === null || projects.some((id) => !own.has(id)))
  if (isWider) return `yours is limited to the projects ${[...own].join(', ')}`
  const end = principal.isSession ? null : principal.expiresAt // a signed-in user can sign in again
  const isLonger = end !== null && (expires_at === null || expires_at > end)
  return isLonger ? `yours expires at ${end}` : undefined
}

const covers = (held: ReadonlySet<string>, scope: string): boolean =>
  scope === '*' ? held.has('*') : grantsScope(held, scope as Scope)
