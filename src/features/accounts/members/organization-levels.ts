import type { ProjectLevel } from '#model/levels.ts'
import { forbidden, invalid } from '#server/errors.ts'

/** Roles in the organization. Admins and owners have access to every project. */
export const ORGANIZATION_LEVELS = { member: 1, admin: 8, owner: 15 } as const

export type OrganizationLevel = (typeof ORGANIZATION_LEVELS)[keyof typeof ORGANIZATION_LEVELS]

/** Accepts a name or a number. */
export function toOrganizationLevel(text: string): OrganizationLevel | undefined {
  const found = Object.entries(ORGANIZATION_LEVELS).find(
    ([name, level]) => text === name || text === `${level}`,
  )
  return found?.[1]
}

export const organizationLevelName = (level: number): string =>
  Object.entries(ORGANIZATION_LEVELS).find(([, known]) => known === level)?.[0] ?? `${level}`

/** Admins manage members and admins; only owners create, change and remove owners. */
export function requireCanChangeLevel(callerLevel: number, before: number, after: number): void {
  const { owner } = ORGANIZATION_LEVELS
  if (callerLevel === owner || Math.max(before, after) < owner) return
  throw forbidden(
    before === owner
      ? 'Only an owner can change or remove an owner.'
      : `Only an owner can make someone an owner. You are ${organizationLevelName(callerLevel)}.`,
  )
}

/** Refuses to call an admin or owner a viewer: they have access to everything. */
export function requireLevelOfMember(
  level: OrganizationLevel,
  accessLevel: ProjectLevel | undefined,
  attr: string,
): void {
  if (accessLevel !== 'viewer' || level === ORGANIZATION_LEVELS.member) return
  throw invalid(
    attr,
    `Only a member of the organization can be a viewer, not an ${organizationLevelName(level)}.`,
  )
}
