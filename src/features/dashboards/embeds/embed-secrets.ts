import type { Caller } from '#server/access/guard.ts'
import { changeProject } from '#server/db/change.ts'
import type { PageRange, Slice } from '#server/db/page-range.ts'
import type { Db } from '#server/db/schema.ts'
import { now, randomText } from '#server/db/values.ts'
import { conflict, notFound } from '#server/errors.ts'
import { listUserTexts } from '#server/features/accounts/users/user-texts.ts'
import { toChange } from '#server/features/activity/store.ts'
import { requireId } from '#server/http/ids.ts'
import type { Secrets } from '#server/secrets/secrets.ts'
import { logEmbeds } from './activity.ts'
import { secretResource } from './fields.ts'
import type { EmbedSecret, NewEmbedSecret } from './schema.ts'
import { deleteSecret, insertSecret, listSecretRows, type SecretRow } from './store.ts'

/** One to use, and one to replace it by. */
const MAX_SECRETS = 2

export async function listEmbedSecrets(
  db: Db,
  { projectId }: Caller,
  { limit, offset }: PageRange,
): Promise<Slice<EmbedSecret>> {
  const rows = await listSecretRows(db, projectId)
  return { count: rows.length, results: await toItems(db, rows.slice(offset, offset + limit)) }
}

/** Creates a secret, whose value only this response contains. */
export function createEmbedSecret(
  { db, secrets }: { readonly db: Db; readonly secrets: Secrets },
  caller: Caller,
): Promise<NewEmbedSecret> {
  const { projectId, userId } = caller
  return changeProject(db, projectId, async (tx) => {
    if ((await listSecretRows(tx, projectId)).length >= MAX_SECRETS) {
      throw conflict('The project has two secrets for embeds. Revoke one first.')
    }
    const secret = `hes_${randomText(43)}`
    const row = await insertSecret(tx, {
      project_id: projectId,
      kid: `emb_${randomText(16)}`,
      secret: secrets.encryptText(secret),
      created_by: userId,
      created_at: now(),
    })
    await logEmbeds(tx, caller, 'embed secret created', [
      toChange('Project', 'embed secret', null, row.kid),
    ])
    const [item] = await toItems(tx, [row])
    return { ...(item as EmbedSecret), secret }
  })
}

/** Ends every embed that the secret has signed. */
export function removeEmbedSecret(db: Db, caller: Caller, id: string): Promise<void> {
  return changeProject(db, caller.projectId, async (tx) => {
    const wanted = requireId(id, 'Secret')
    const row = (await listSecretRows(tx, caller.projectId)).find((each) => each.id === wanted)
    if (!row) throw notFound('Secret')
    await deleteSecret(tx, row)
    await logEmbeds(tx, caller, 'embed secret revoked', [
      toChange('Project', 'embed secret', row.kid, null),
    ])
  })
}

async function toItems(db: Db, rows: readonly SecretRow[]): Promise<EmbedSecret[]> {
  const users = await listUserTexts(
    db,
    rows.map((row) => row.created_by),
  )
  return rows.map((row) => secretResource.toItem(row, { users }))
}
