import { insertKey, newKey } from '#server/access/keys.ts'
import type { KeyScope } from '#server/access/scopes.ts'
import { changeAccess } from '#server/db/change.ts'
import type { Db } from '#server/db/schema.ts'
import { inSeconds } from '#server/db/values.ts'
import { AppProblem, type AppServices } from '#server/runtime/contract.ts'

type Access = Awaited<ReturnType<AppServices['apiAccess']>>

const VALID_FOR_S = 3600
/** An app must not hold a key that ends while it is being used. */
const RENEWED_AFTER_MS = 45 * 60_000
const SCOPES: readonly KeyScope[] = ['plugin:read', 'dashboard:write']

/** How `posthog.api` reaches this service: by a key that is good for one project, for an hour. */
export function createApiAccess(db: Db, origin: () => string | undefined) {
  const known = new Map<number, { access: Promise<Access>; at: number }>()

  return (projectId: number): Promise<Access> => {
    const entry = known.get(projectId)
    if (entry && Date.now() - entry.at < RENEWED_AFTER_MS) return entry.access
    const access = createAccess(db, projectId, origin())
    known.set(projectId, { access, at: Date.now() })
    access.catch(() => known.delete(projectId))
    return access
  }
}

async function createAccess(
  db: Db,
  projectId: number,
  origin: string | undefined,
): Promise<Access> {
  if (!origin) {
    throw new AppProblem(
      'A worker does not know where the API is. Set HEDGEROW_URL to its address.',
    )
  }
  const { api_token } = await db
    .selectFrom('projects')
    .select('api_token')
    .where('id', '=', projectId)
    .executeTakeFirstOrThrow()
  const personalKey = newKey()
  await changeAccess(db, async (tx) => {
    await tx
      .deleteFrom('api_keys')
      .where('label', '=', LABEL)
      .where('expires_at', '<', inSeconds(0))
      .execute()
    const owner = await tx
      .selectFrom('users')
      .select('id')
      .orderBy('level', 'desc')
      .orderBy('id')
      .executeTakeFirstOrThrow()
    await insertKey(tx, {
      userId: owner.id,
      label: LABEL,
      scopes: SCOPES,
      projects: [projectId],
      expiresAt: inSeconds(VALID_FOR_S),
      value: personalKey,
    })
  })
  return { origin, personalKey, projectToken: api_token }
}

const LABEL = 'Made for import apps'
