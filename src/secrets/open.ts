import { lockMigrations } from '../db/dialect.ts'
import type { Db, Tx } from '../db/schema.ts'
import { now } from '../db/values.ts'
import { OperatorError } from '../errors.ts'
import { decodeSecret, decrypt, encodeText, encrypt, readKeyId } from './cipher.ts'
import { createKeyFile, keyFilePath } from './key-file.ts'
import { createKeyRing, findKeyRing, type KeyRing, type KeySource } from './key-ring.ts'
import type { SecretKey } from './keys.ts'
import { encryptPlainSettings } from './reencrypt.ts'
import type { Secrets } from './secrets.ts'

export interface SecretsOptions extends KeySource {
  /** Contains the proof that a key is the one that encrypted its secrets. */
  readonly db: Db
}

/** Creates the key file if there is neither a key nor an encrypted secret. */
export async function openSecrets(options: SecretsOptions): Promise<Secrets> {
  const secrets = toSecrets(await openKeyRing(options))
  await encryptPlainSettings(options.db, secrets)
  return secrets
}

/** Runs one change at a time: of two servers on an empty database, the second must see the first one's key. */
export function changeKeys<T>(db: Db, change: (tx: Tx) => Promise<T>): Promise<T> {
  return db.transaction().execute(async (tx) => {
    await lockMigrations(tx)
    return change(tx)
  })
}

const openKeyRing = ({ db, ...source }: SecretsOptions): Promise<KeyRing> =>
  changeKeys(db, async (tx) => {
    const ring = (await requireMatchingKeys(tx, source)) ?? createKeyFileRing(source)
    await insertKeyIfNew(tx, ring.first())
    return ring
  })

function createKeyFileRing(source: KeySource): KeyRing {
  createKeyFile(source.dataFolder)
  return findKeyRing(source) as KeyRing
}

/** Returns undefined if no key exists and none is needed. Throws if the given keys cannot decrypt the stored secrets. */
export async function requireMatchingKeys(db: Db, source: KeySource): Promise<KeyRing | undefined> {
  const ring = findKeyRing(source)
  for (const { id, proof } of await listStoredKeys(db)) {
    const key = ring?.find(id)
    if (!key || !canDecrypt(key, proof)) throw wrongKey(source, id, ring)
  }
  return ring
}

export const listStoredKeys = (db: Db) =>
  db.selectFrom('secret_keys').selectAll().orderBy('created_at').orderBy('id').execute()

function wrongKey(source: KeySource, id: string, ring: KeyRing | undefined): OperatorError {
  const file = keyFilePath(source.dataFolder)
  const place = source.secretKey === undefined ? file : 'HEDGEROW_SECRET_KEY'
  const found = ring ? `${place} does not contain it` : `there is no ${file}`
  return new OperatorError(
    `The secret key does not fit this database: its secrets were encrypted with key ${id}, and ${found}. Set HEDGEROW_SECRET_KEY to that key, or restore ${file}.`,
  )
}

const PROOF = 'This is the key.'

export async function insertKeyIfNew(tx: Tx, key: SecretKey): Promise<void> {
  const proof = encodeText(key, encrypt(key, Buffer.from(PROOF)))
  await tx
    .insertInto('secret_keys')
    .values({ id: key.id, proof, created_at: now() })
    .onConflict((conflict) => conflict.column('id').doNothing())
    .execute()
}

/** Checks a stored proof against the key. */
export function canDecrypt(key: SecretKey, proof: string): boolean {
  try {
    return toSecrets(createKeyRing([key])).decryptText(proof) === PROOF
  } catch {
    return false
  }
}

export function toSecrets(ring: KeyRing): Secrets {
  return {
    encryptText(plain) {
      const key = ring.first()
      return encodeText(key, encrypt(key, Buffer.from(plain)))
    },
    decryptText: (encrypted) =>
      Buffer.from(decryptWithRing(ring, decodeSecret(encrypted))).toString(),
    encryptBytes: (plain) => encrypt(ring.first(), plain),
    decryptBytes: (encrypted) => decryptWithRing(ring, encrypted),
  }
}

/** Errors go to the log, so they contain nothing of the secret. */
function decryptWithRing(ring: KeyRing, encrypted: Uint8Array | undefined): Uint8Array {
  const id = encrypted && readKeyId(encrypted)
  if (!encrypted || id === undefined)
    throw new Error('A stored secret is damaged: it is not encrypted.')
  const key = ring.find(id)
  if (!key) {
    throw new OperatorError(
      `A stored secret was encrypted with key ${id}, which this process does not have. Give every server and worker the same keys and restart them.`,
    )
  }
  try {
    return decrypt(key, encrypted)
  } catch {
    throw new Error(`A stored secret is damaged: key ${id} does not decrypt it.`)
  }
}
