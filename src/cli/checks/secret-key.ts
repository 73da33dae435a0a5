import { stat } from 'node:fs/promises'
import { hasTable } from '#server/db/dialect.ts'
import type { Db } from '#server/db/schema.ts'
import { keyFilePath } from '#server/secrets/key-file.ts'
import type { KeySource } from '#server/secrets/key-ring.ts'
import { requireMatchingKeys } from '#server/secrets/open.ts'
import { bad, type Check, good, warning } from './check.ts'

const GROUP_AND_OTHERS = 0o077

export async function checkSecretKey(db: Db, source: KeySource): Promise<Check> {
  const file = keyFilePath(source.dataFolder)
  try {
    const ring = (await hasTable(db, 'secret_keys')) && (await requireMatchingKeys(db, source))
    if (!ring) return good('secret key', `${file} (created at the next start)`)
  } catch (error) {
    return bad('secret key', (error as Error).message)
  }
  if (source.secretKey !== undefined) return good('secret key', 'HEDGEROW_SECRET_KEY matches')
  const { mode } = await stat(file)
  if (mode & GROUP_AND_OTHERS)
    return warning('secret key', `Other users can read ${file}. Run: chmod 600 ${file}`)
  return good('secret key', `${file} matches. Back it up separately from the database.`)
}
