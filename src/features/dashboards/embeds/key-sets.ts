import type { FetchImplementation, RemoteJWKSet } from 'jose'
import { LRUCache } from 'lru-cache'
import type { Egress } from '#server/egress/egress.ts'
import { createGuardedFetch } from '#server/egress/guarded-fetch.ts'

const TIMEOUT_MS = 5000
/** Far more than the keys of any provider. */
const MAX_BYTES = 256 * 1024
const MAX_AGE_MS = 10 * 60_000
/** An unknown key asks for the set at most this often, and so does a set that could not be fetched. */
const COOLDOWN_MS = 30_000
const MAX_SETS = 200

/** The public keys at an address. */
export type FindKeySet = (url: string) => Promise<RemoteJWKSet>

/** Creates the function that finds the keys at an address. They are fetched once they are needed, and remembered. */
export function createKeySets(egress: Egress, clock: () => number = Date.now): FindKeySet {
  const sets = new LRUCache<string, RemoteJWKSet>({ max: MAX_SETS })
  const guarded = createGuardedFetch(egress, { timeoutMs: TIMEOUT_MS, maxBytes: MAX_BYTES })

  return async (url) => {
    const known = sets.get(url)
    if (known) return known
    const { createRemoteJWKSet, customFetch } = await import('jose')
    let failedAt = Number.NEGATIVE_INFINITY
    const fetchKeys: FetchImplementation = async (address, { method, headers, signal }) => {
      if (clock() < failedAt + COOLDOWN_MS) throw new TypeError('the keys could not be fetched')
      failedAt = clock()
      const init = { method, headers: Object.fromEntries(headers), signal }
      const response = await guarded(address, init)
      if (response.ok) failedAt = Number.NEGATIVE_INFINITY
      return response
    }
    const set = createRemoteJWKSet(new URL(url), {
      timeoutDuration: TIMEOUT_MS,
      cacheMaxAge: MAX_AGE_MS,
      cooldownDuration: COOLDOWN_MS,
      [customFetch]: fetchKeys,
    })
    sets.set(url, set)
    return set
  }
}
