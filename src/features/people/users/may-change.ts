import { forbidden } from '#server/errors.ts'
import { ORGANIZATION_LEVELS, organizationLevelName } from './organization-levels.ts'

/**
 * Admins look after members and admins; only owners make, change and remove owners. Nobody gives more than they have.
 */
export function requireCanChangeLevel(own: number, before: number, after: number): void {
  const highest = Math.max(before, after)
  if (own === ORGANIZATION_LEVELS.owner || highest < ORGANIZATION_LEVELS.owner) return
  throw forbidden(
    before === ORGANIZATION_LEVELS.owner
      ? 'Only an owner may change or remove an owner.'
      : `Only an owner may make somebody an owner, and you are ${organizationLevelName(own)}.`,
  )
}
