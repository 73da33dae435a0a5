import { LRUCache } from 'lru-cache'
import type { Storage } from '#server/db/open.ts'

/** The project that a token belongs to. */
export type TokenLookup = (token: string) => Promise<number | undefined>

interface Known {
  readonly projectId: number
  /** The version of projects that it was read at. */
  readonly access: number
}

const TOKEN = /^\w{1,100}$/

/** Remembers until anything about projects changes, so that a token stops when its project does. */
export function createTokenLookup({ db, stamps }: Storage): TokenLookup {
  const known = new LRUCache<string, Known>({ max: 1000 })
  return async (token) => {
    if (!TOKEN.test(token)) return undefined
    const { access } = await stamps.read(0, 0)
    const entry = known.get(token)
    if (entry?.access === access) return entry.projectId
    const project = await db
      .selectFrom('projects')
      .select('id')
      .where('api_token', '=', token)
      .executeTakeFirst()
    if (project) known.set(token, { projectId: project.id, access })
    return project?.id
  }
}
