import { lockMigrations } from '../db/dialect.ts'
import type { Db, Tx } from '../db/schema.ts'
import { now } from '../db/values.ts'
import { OperatorError } from '../errors.ts'
import { decodeText, decrypt, encodeText, encrypt, readKeyId } from './cipher.ts'
import { createKeyFile, keyFilePath } from './key-file.ts'
import { createKeyRing, findKeyRing, type KeyRing, type KeySource } from './key-ring.ts'
import type { SecretKey } from './keys.ts'
import { encryptPlainSettings } from './reencrypt.ts'
import type { Secrets } from './secrets.ts'

export interface SecretsOptions extends KeySource {
  /** Holds the proof that a key is the one this storage was sealed with. */
  readonly db: Db
}

/** Makes the key file if there is neither a key nor anything sealed. */
export async function openSecrets(options: SecretsOptions): Promise<Secrets> {
  const secrets = toSecrets(await openKeyRing(options))
  await encryptPlainSettings(options.db, secrets)
  return secrets
}

/** One at a time: of two servers on an empty database the second must see the first one's key. */
export function changeKeys<T>(db: Db, change: (tx: Tx) => Promise<T>): Promise<T> {
  return db.transaction().execute(async (tx) => {
    await lockMigrations(tx)
    return change(tx)
  })
}

const openKeyRing = ({ db, ...source }: SecretsOptions): Promise<KeyRing> =>
  changeKeys(db, async (tx) => {
    const ring = (await requireMatchingKeys(tx, source)) ?? makeKeyRing(source)
    await insertKeyIfNew(tx, ring.first())
    return ring
  })

function makeKeyRing(source: KeySource): KeyRing {
  createKeyFile(source.dataFolder)
  return findKeyRing(source) as KeyRing
}

/** undefined: there is no key yet, and none is needed. Throws when the keys at hand cannot open what is stored. */
export async function requireMatchingKeys(db: Db, source: KeySource): Promise<KeyRing | undefined> {
  const ring = findKeyRing(source)
  for (const { id, proof } of await listStoredKeys(db)) {
    const key = ring?.find(id)
    if (!key || !canOpen(key, proof)) throw doesNotFit(source, id, ring)
  }
  return ring
}

export const listStoredKeys = (db: Db) =>
  db.selectFrom('secret_keys').selectAll().orderBy('created_at').orderBy('id').execute()

function doesNotFit(source: KeySource, id: string, ring: KeyRing | undefined): OperatorError {
  const file = keyFilePath(source.dataFolder)
  const place = source.secretKey === undefined ? file : 'HEDGEROW_SECRET_KEY'
  const found = ring ? `${place} does not hold it` : `there is no ${file}`
  return new OperatorError(
    `The secret key does not fit this database: it was sealed with key ${id}, and ${found}. Set HEDGEROW_SECRET_KEY to the key that it was sealed with, or restore ${file}.`,
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

function canOpen(key: SecretKey, proof: string): boolean {
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
    decryptText: (sealed) => Buffer.from(open(ring, decodeText(sealed))).toString(),
    encryptBytes: (plain) => encrypt(ring.first(), plain),
    decryptBytes: (sealed) => open(ring, sealed),
  }
}

/** The message goes to the log and holds nothing of what was sealed. */
function open(ring: KeyRing, sealed: Uint8Array | undefined): Uint8Array {
  const id = sealed && readKeyId(sealed)
  if (!sealed || id === undefined) throw new Error('A stored secret is damaged: it is not sealed.')
  const key = ring.find(id)
  if (!key) {
    throw new OperatorError(
      `A stored secret was sealed with key ${id}, which this process does not have. Give every server and worker the same keys, and restart it.`,
    )
  }
  try {
    return decrypt(key, sealed)
  } catch {
    throw new Error(`A stored secret is damaged: key ${id} does not open it.`)
  }
}
