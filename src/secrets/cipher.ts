import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto'
import type { SecretKey } from './keys.ts'

/** AES-256-GCM. The format is a version, the key's ID, a nonce, the tag and the ciphertext. */
const ALGORITHM = 'aes-256-gcm'
const VERSION = 1
const ID_END = 9
const NONCE_END = ID_END + 12
const TAG_END = NONCE_END + 16

/** Returns the first bytes of everything that the key encrypts. */
export const toCipherHeader = ({ id }: Pick<SecretKey, 'id'>): Uint8Array =>
  Buffer.concat([Buffer.of(VERSION), Buffer.from(id, 'hex')])

export function encrypt(key: SecretKey, plain: Uint8Array): Uint8Array {
  const header = toCipherHeader(key)
  const nonce = randomBytes(NONCE_END - ID_END)
  const cipher = createCipheriv(ALGORITHM, key.bytes, nonce).setAAD(header)
  const ciphertext = [cipher.update(plain), cipher.final()]
  return Buffer.concat([header, nonce, cipher.getAuthTag(), ...ciphertext])
}

/** Returns undefined if this service did not encrypt it, or if its header was changed. */
export function readKeyId(encrypted: Uint8Array): string | undefined {
  if (encrypted.length < TAG_END || encrypted[0] !== VERSION) return undefined
  return Buffer.from(encrypted.subarray(1, ID_END)).toString('hex')
}

/** Throws if any bit has been changed. */
export function decrypt(key: SecretKey, encrypted: Uint8Array): Uint8Array {
  const decipher = createDecipheriv(ALGORITHM, key.bytes, encrypted.subarray(ID_END, NONCE_END))
    .setAAD(encrypted.subarray(0, ID_END))
    .setAuthTag(encrypted.subarray(NONCE_END, TAG_END))
  return Buffer.concat([decipher.update(encrypted.subarray(TAG_END)), decipher.final()])
}

const TEXT_PREFIX = 's1.'

/** Contains the key's ID in plain text, so that SQL can find what another key has encrypted. */
export const toTextHeader = ({ id }: Pick<SecretKey, 'id'>): string => `${TEXT_PREFIX}${id}.`

export function encodeText(key: SecretKey, encrypted: Uint8Array): string {
  return toTextHeader(key) + Buffer.from(encrypted.subarray(ID_END)).toString('base64url')
}

/** Returns undefined if the text is not encrypted. */
export function decodeSecret(text: string): Uint8Array | undefined {
  const [, id, rest] = /^s1\.([0-9a-f]{16})\.([\w-]+)$/.exec(text) ?? []
  if (id === undefined || rest === undefined) return undefined
  return Buffer.concat([toCipherHeader({ id }), Buffer.from(rest, 'base64url')])
}
