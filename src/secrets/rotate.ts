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
  /** The ID of the new key. */
  readonly key: string
}

/**
 * Replaces the key. Every secret can be decrypted at any time, even if this process dies: the old key is deleted only
 * after everything is encrypted with the new one. Running it again continues where it stopped.
 */
export async function rotateSecrets(
  options: SecretsOptions,
  onProgress: (done: ReencryptedCounts) => void,
): Promise<RotationResult> {
  const { db } = options
  await openSecrets(options) // so that nothing is plain text and there is a key to replace
  const { key, ring } = await beginRotation(options)
  const stored = (await listStoredKeys(db)).map(({ id }) => id)
  const requireNewest = (tx: Tx) => requireNoNewKey(tx, stored)
  const secrets = toSecrets(ring)
  const done = await reencryptAll({ db, secrets, key, requireNewest }, onProgress)
  const old = stored.filter((id) => id !== key.id)
  await changeKeys(db, (tx) => deleteKeys(tx, old))
  if (options.secretKey === undefined) await changeKeys(db, (tx) => deleteFromKeyFile(tx, options))
  return { ...done, key: key.id }
}

/** The operator's first key is the new one. In a key file, a new key is created unless a rotation is in progress. */
const beginRotation = ({ db, ...source }: SecretsOptions) =>
  changeKeys(db, async (tx) => {
    const before = (await requireMatchingKeys(tx, source)) as KeyRing
    const isInProgress = (await listStoredKeys(tx)).length > 1
    if (source.secretKey === undefined && !isInProgress) {
      replaceKeyFile(source.dataFolder, [generateSecretKey(), ...before.all()])
    }
    const keys = (findKeyRing(source) as KeyRing).all()
    const key = keys[0] as SecretKey
    await insertKeyIfNew(tx, key)
    return { key, ring: createKeyRing(keys) } // a ring that follows the file would encrypt with an even newer key
  })

async function requireNoNewKey(db: Db, known: readonly string[]): Promise<void> {
  const keys = await listStoredKeys(db)
  if (keys.every(({ id }) => known.includes(id))) return
  throw new OperatorError('The key was changed again meanwhile. Run this again.')
}

async function deleteKeys(tx: Tx, ids: readonly string[]): Promise<void> {
  if (ids.length > 0) await tx.deleteFrom('secret_keys').where('id', 'in', ids).execute()
}

/** Runs after the database has deleted the keys, because a start needs every key that the database lists. */
async function deleteFromKeyFile(tx: Tx, { dataFolder }: KeySource): Promise<void> {
  const stored = new Set((await listStoredKeys(tx)).map(({ id }) => id))
  const kept = readKeyFile(dataFolder)?.filter(({ id }) => stored.has(id))
  if (kept?.length) replaceKeyFile(dataFolder, kept)
}
