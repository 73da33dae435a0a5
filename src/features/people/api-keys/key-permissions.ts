import type { Principal } from '#server/access/keys.ts'
import { grantsScope, type Scope } from '#server/access/scopes.ts'
import { forbidden } from '#server/errors.ts'

/** What is written on a key. */
export interface KeyPermissions {
  readonly scopes: readonly string[]
  /** null: every project its owner reaches. */
  readonly projects: readonly number[] | null
  /** null: never. */
  readonly expires_at: string | null
}

/** Nobody gets more out of a key than was put into it: not by making another, nor by changing one. */
export function requireNoEscalation(holder: Principal, wanted: KeyPermissions): void {
  const excess = findExcess(holder, wanted)
  if (excess) throw forbidden(`A key cannot give more than it has: ${excess}.`)
}

/** A stronger key is out of reach of a weaker one: rolled, it would tell its new value. */
export function requireNotStronger(
  holder: Principal,
  key: KeyPermissions & { id: string; label: string },
) {
  if (key.id === holder.keyId) return
  const excess = findExcess(holder, key)
  if (excess) throw forbidden(`The key "${key.label}" may do more than the one you use: ${excess}.`)
}

function findExcess(holder: Principal, { scopes, projects, expires_at }: KeyPermissions) {
  const scope = scopes.find((each) => !holds(holder.scopes, each))
  if (scope !== undefined) return `yours has no scope '${scope}'`
  const own = holder.projects
  const isWider = own && (projects === null || projects.some((id) => !own.has(id)))
  if (isWider) return `yours is limited to the projects ${[...own].join(', ')}`
  const end = holder.isSession ? null : holder.expiresAt // who is signed in can sign in again
  const isLonger = end !== null && (expires_at === null || expires_at > end)
  return isLonger ? `yours ends at ${end}` : undefined
}

const holds = (held: ReadonlySet<string>, scope: string): boolean =>
  scope === '*' ? held.has('*') : grantsScope(held, scope as Scope)
