import { LRUCache } from 'lru-cache'
import { toPlainAddress } from '#server/access/network.ts'
import { createThrottle } from '#server/access/throttle.ts'
import type { Storage } from '#server/db/open.ts'
import { ApiError, notFound } from '#server/errors.ts'
import { findProjectByToken } from '#server/features/accounts/projects/store.ts'

/** The rules of a project for the events that it receives. */
export interface ProjectRules {
  /** The client's address, null to store none, or undefined if there is none. */
  readonly ip: string | null | undefined
}

/** The project of a token, and its rules for the events of a client. */
export interface ReceivingProject {
  readonly projectId: number
  readonly rules: ProjectRules
}

/** Finds the projects that tokens belong to. */
export interface ProjectTokens {
  /** Throws if the token is new and the client's network has sent too many unknown ones. */
  find(token: unknown, address: string): Promise<ReceivingProject | undefined>
  /** Throws if no project has the token. */
  require(token: unknown, address: string): Promise<ReceivingProject>
  /** The same for a token that is part of a path, which does not exist then. */
  requirePath(token: string, address: string): Promise<void>
}

interface CachedProject {
  readonly projectId: number
  readonly anonymizesIps: boolean
  /** The access version at the time of reading. */
  readonly access: number
}

const TOKEN = /^\w{1,100}$/

/** Caches until any project changes, because a token must stop working with its project. */
export function createProjectTokens({ db, stamps }: Storage): ProjectTokens {
  const cache = new LRUCache<string, CachedProject>({ max: 1000 })
  const throttle = createThrottle()

  async function findCached(token: unknown, address: string): Promise<CachedProject | undefined> {
    const entry = cache.get(token as string)
    if (!entry) throttle.require(address)
    if (typeof token !== 'string' || !TOKEN.test(token)) return undefined
    const { access } = await stamps.read(0, 0)
    if (entry?.access === access) return entry
    const project = await findProjectByToken(db, token)
    const found = project && {
      projectId: project.id,
      anonymizesIps: project.anonymize_ips === 1,
      access,
    }
    if (found) cache.set(token, found)
    else cache.delete(token)
    return found
  }

  async function find(token: unknown, address: string): Promise<ReceivingProject | undefined> {
    const found = await findCached(token, address)
    if (!found) return undefined
    const { projectId, anonymizesIps } = found
    return { projectId, rules: { ip: anonymizesIps ? null : toPlainAddress(address) } }
  }

  return {
    find,
    async require(token, address) {
      const project = await find(token, address)
      if (project) return project
      throttle.countFailure(address)
      if (token === undefined || token === null || token === '') throw missingToken()
      throw new ApiError('authentication_failed', 'No project has this token.')
    },
    async requirePath(token, address) {
      if ((await find(token, address)) === undefined) throw notFound('Project')
    },
  }
}

const missingToken = (): ApiError =>
  new ApiError(
    'not_authenticated',
    'The request has no project token (`api_key`, or `writeKey` of Segment).',
  )
