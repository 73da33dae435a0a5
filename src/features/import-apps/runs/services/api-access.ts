import type { KeyScope } from '#server/access/scopes.ts'
import type { Db } from '#server/db/schema.ts'
import { createAppKey } from '#server/features/accounts/api-keys/app-keys.ts'
import { findProject } from '#server/features/accounts/projects/store.ts'
import { AppProblem, type AppServices } from '#server/runtime/contract.ts'

export type ApiAccess = Awaited<ReturnType<AppServices['apiAccess']>>

const KEY_LIFETIME_S = 3600
/** Renews keys early, because one that an app holds must not expire while it is in use. */
const RENEW_AFTER_MS = 45 * 60_000
/** Import apps read and annotate; an app that writes anything else needs a key in its settings. */
const SCOPES: readonly KeyScope[] = ['plugin:read', 'dashboard:read', 'annotation:write']

/** Creates a function that gives `posthog.api` a key for one project, which is shared and valid for an hour. */
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
