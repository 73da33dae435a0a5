import type { CacheStamp } from '../db/cache-stamps.ts'
import type { Caller } from './guard.ts'

/**
 * The data that a cached response depends on besides its caller: one dashboard, or the whole project. Responses by the
 * minute contain counts of the last 24 hours, which become stale without a change.
 */
export type CacheDependency = 'dashboard' | 'project' | 'project-by-the-minute'

/** Returns undefined if the response depends on no record. */
export function toVersionTag(
  { userId }: Caller,
  { access, project, dashboard }: CacheStamp,
  cached: CacheDependency,
): string | undefined {
  const state = `${userId}.${access}`
  if (cached === 'dashboard')
    return dashboard === undefined ? undefined : `"d${dashboard}-${state}"`
  if (cached === 'project') return `"p${project}-${state}"`
  return `"p${project}-${state}-${Math.floor(Date.now() / 60_000)}"`
}
