import type { Db, Tx } from '../db/schema.ts'
import { OperatorError } from '../errors.ts'
import { readKeyFile, replaceKeyFile } from './key-file.ts'
import { createKeyRing, findKeyRing, type KeyRing, type KeySource } from './key-ring.ts'
import { generateSecretKey, type SecretKey } from './keys.ts'
import {
  changeKeys,
  insertKeyIfNew,
  listStoredKeys,
  openSecrets,
  requireMatchingKeys,
  type SecretsOptions,
  toSecrets,
} from './open.ts'
import { type ReencryptedCounts, reencryptAll } from './reencrypt.ts'

export interface RotationResult extends ReencryptedCounts {
  /** The id of the key that seals everything now. */
  readonly key: string
}

/**
 * Everything can be opened at every moment, whenever this process dies: the old key goes only after all is sealed
 * under the new one. Run again, it goes on where it stopped.
 */
export async function rotateSecrets(
  options: SecretsOptions,
  tell: (done: ReencryptedCounts) => void,
): Promise<RotationResult> {
  const { db } = options
  await openSecrets(options) // nothing is plain, and there is a key to replace
  const { key, ring } = await beginRotation(options)
  const stored = (await listStoredKeys(db)).map(({ id }) => id)
  const requireOwn = (tx: Tx) => requireNoOther(tx, stored)
  const done = await reencryptAll(db, toSecrets(ring), key, requireOwn, tell)
  const old = stored.filter((id) => id !== key.id)
  await changeKeys(db, (tx) => deleteKeys(tx, old))
  if (options.secretKey === undefined) await changeKeys(db, (tx) => dropFromFile(tx, options))
  return { ...done, key: key.id }
}

/** With keys of the operator's the first is the new one. With a key file one is made, unless one waits already. */
const beginRotation = ({ db, ...source }: SecretsOptions) =>
  changeKeys(db, async (tx) => {
    const before = (await requireMatchingKeys(tx, source)) as KeyRing
    const isUnderWay = (await listStoredKeys(tx)).length > 1
    if (source.secretKey === undefined && !isUnderWay) {
      replaceKeyFile(source.dataFolder, [generateSecretKey(), ...before.all()])
    }
    const keys = (findKeyRing(source) as KeyRing).all()
    const key = keys[0] as SecretKey
    await insertKeyIfNew(tx, key)
    return { key, ring: createKeyRing(keys) } // a ring that follows the file would seal with a key made after this one
  })

async function requireNoOther(db: Db, known: readonly string[]): Promise<void> {
  const keys = await listStoredKeys(db)
  if (keys.every(({ id }) => known.includes(id))) return
  throw new OperatorError('The key was changed once more meanwhile. Run this again.')
}

async function deleteKeys(tx: Tx, ids: readonly string[]): Promise<void> {
  if (ids.length > 0) await tx.deleteFrom('secret_keys').where('id', 'in', ids).execute()
}

/** After the database has forgotten them: a start needs every key that the database names. */
async function dropFromFile(tx: Tx, { dataFolder }: KeySource): Promise<void> {
  const stored = new Set((await listStoredKeys(tx)).map(({ id }) => id))
  const kept = readKeyFile(dataFolder)?.filter(({ id }) => stored.has(id))
  if (kept?.length) replaceKeyFile(dataFolder, kept)
}
