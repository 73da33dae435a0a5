import { LRUCache } from 'lru-cache'
import type { Storage } from '#server/db/open.ts'
import { findProjectIdByToken } from '#server/features/people/projects/store.ts'

/** Returns the project of a token. */
export type TokenLookup = (token: string) => Promise<number | undefined>

interface CachedProject {
  readonly projectId: number
  /** The access version at which it was read. */
  readonly access: number
}

const TOKEN = /^\w{1,100}$/

/** Caches until any project changes, so that a token stops working with its project. */
export function createTokenLookup({ db, stamps }: Storage): TokenLookup {
  const cache = new LRUCache<string, CachedProject>({ max: 1000 })
  return async (token) => {
    if (!TOKEN.test(token)) return undefined
    const { access } = await stamps.read(0, 0)
    const entry = cache.get(token)
    if (entry?.access === access) return entry.projectId
    const projectId = await findProjectIdByToken(db, token)
    if (projectId !== undefined) cache.set(token, { projectId, access })
    return projectId
  }
}
