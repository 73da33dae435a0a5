import type { KeyScope } from '#server/access/scopes.ts'
import type { Db } from '#server/db/schema.ts'
import { createAppKey } from '#server/features/people/api-keys/app-keys.ts'
import { findProject } from '#server/features/people/projects/store.ts'
import { AppProblem, type AppServices } from '#server/runtime/contract.ts'

export type ApiAccess = Awaited<ReturnType<AppServices['apiAccess']>>

const KEY_LIFETIME_S = 3600
/** Early enough that no app holds a key that expires while it is in use. */
const RENEW_AFTER_MS = 45 * 60_000
/** Apps import events; one that changes something through the API gets a key of its own as a setting. */
const SCOPES: readonly KeyScope[] = ['plugin:read', 'dashboard:read']

/** Returns a function that gives `posthog.api` access to one project: a key that is valid for an hour and shared. */
export function createApiAccess(db: Db, origin: () => string | undefined) {
  const cache = new Map<number, { access: Promise<ApiAccess>; createdAt: number }>()

  return (projectId: number): Promise<ApiAccess> => {
    const cached = cache.get(projectId)
    if (cached && Date.now() - cached.createdAt < RENEW_AFTER_MS) return cached.access
    const access = createAccess(db, projectId, origin())
    cache.set(projectId, { access, createdAt: Date.now() })
    access.catch(() => cache.delete(projectId))
    return access
  }
}

async function createAccess(
  db: Db,
  projectId: number,
  origin: string | undefined,
): Promise<ApiAccess> {
  if (!origin) {
    throw new AppProblem("The worker does not know the API's URL. Set HEDGEROW_URL.")
  }
  const project = await findProject(db, projectId)
  if (!project) throw new AppProblem('The project was deleted.')
  const personalKey = await createAppKey(db, {
    projectId,
    scopes: SCOPES,
    lifetimeSeconds: KEY_LIFETIME_S,
  })
  return { origin, personalKey, projectToken: project.api_token }
}
