import { forbidden } from '#server/errors.ts'
import { LEVELS, toLevelName } from './levels.ts'

/**
 * Admins look after members and admins; only owners make, change and remove owners. Nobody gives more than they have.
 */
export function requireMayChange(own: number, before: number, after: number): void {
  const highest = Math.max(before, after)
  if (own === LEVELS.owner || highest < LEVELS.owner) return
  throw forbidden(
    before === LEVELS.owner
      ? 'Only an owner may change or remove an owner.'
      : `Only an owner may make somebody an owner, and you are ${toLevelName(own)}.`,
  )
}
