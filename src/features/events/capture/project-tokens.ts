import { LRUCache } from 'lru-cache'
import { createThrottle } from '#server/access/throttle.ts'
import type { Storage } from '#server/db/open.ts'
import { ApiError } from '#server/errors.ts'
import { findProjectIdByToken } from '#server/features/people/projects/store.ts'

/** Finds the projects that tokens belong to. */
export interface ProjectTokens {
  /** Throws if the token is new and the sender's network has sent too many unknown ones. */
  find(token: unknown, address: string): Promise<number | undefined>
  /** Throws if no project has the token. */
  require(token: unknown, address: string): Promise<number>
}

interface CachedProject {
  readonly projectId: number
  /** The access version at the time of reading. */
  readonly access: number
}

const TOKEN = /^\w{1,100}$/

/** Caches until any project changes, because a token must stop working with its project. */
export function createProjectTokens({ db, stamps }: Storage): ProjectTokens {
  const cache = new LRUCache<string, CachedProject>({ max: 1000 })
  const throttle = createThrottle()

  async function find(token: unknown, address: string): Promise<number | undefined> {
    const entry = cache.get(token as string)
    if (!entry) throttle.require(address)
    if (typeof token !== 'string' || !TOKEN.test(token)) return undefined
    const { access } = await stamps.read(0, 0)
    if (entry?.access === access) return entry.projectId
    const projectId = await findProjectIdByToken(db, token)
    if (projectId === undefined) cache.delete(token)
    else cache.set(token, { projectId, access })
    return projectId
  }

  return {
    find,
    async require(token, address) {
      const projectId = await find(token, address)
      if (projectId !== undefined) return projectId
      throttle.countFailure(address)
      if (token === undefined || token === null || token === '') throw missingToken()
      throw new ApiError('authentication_failed', 'No project has this token.')
    },
  }
}

const missingToken = (): ApiError =>
  new ApiError(
    'not_authenticated',
    'The request has no project token (`api_key`, or `writeKey` of Segment).',
  )
