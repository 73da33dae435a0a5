import { generateApiKey, insertApiKey } from '#server/access/keys.ts'
import type { KeyScope } from '#server/access/scopes.ts'
import { changeAccess } from '#server/db/change.ts'
import type { Db } from '#server/db/schema.ts'
import { inSeconds } from '#server/db/values.ts'
import { getHighestUser } from '../users/store.ts'
import { deleteExpiredApiKeys } from './store.ts'

const LABEL = 'Import apps'
/** Labels of this version and of earlier ones. */
const LABELS = [LABEL, 'Made for import apps']

export interface AppKeyCreate {
  readonly projectId: number
  readonly scopes: readonly KeyScope[]
  readonly lifetimeSeconds: number
}

/** Creates a key for the import apps of a project on behalf of the owner, and deletes the expired ones. */
export async function createAppKey(
  db: Db,
  { projectId, scopes, lifetimeSeconds }: AppKeyCreate,
): Promise<string> {
  const value = generateApiKey()
  await changeAccess(db, async (tx) => {
    await deleteExpiredApiKeys(tx, LABELS)
    const owner = await getHighestUser(tx)
    await insertApiKey(tx, {
      userId: owner.id,
      label: LABEL,
      scopes,
      projects: [projectId],
      expiresAt: inSeconds(lifetimeSeconds),
      value,
    })
  })
  return value
}
