import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto'
import type { SecretKey } from './keys.ts'

/** AES-256-GCM. Sealed: a version, the key's id, a nonce, the tag, and what was sealed. */
const ALGORITHM = 'aes-256-gcm'
const VERSION = 1
const ID_END = 9
const NONCE_END = ID_END + 12
const TAG_END = NONCE_END + 16

/** The start of everything that the key seals. */
export const toHeader = ({ id }: Pick<SecretKey, 'id'>): Uint8Array =>
  Buffer.concat([Buffer.of(VERSION), Buffer.from(id, 'hex')])

export function encrypt(key: SecretKey, plain: Uint8Array): Uint8Array {
  const head = toHeader(key)
  const nonce = randomBytes(NONCE_END - ID_END)
  const cipher = createCipheriv(ALGORITHM, key.bytes, nonce).setAAD(head)
  const sealed = [cipher.update(plain), cipher.final()]
  return Buffer.concat([head, nonce, cipher.getAuthTag(), ...sealed])
}

/** undefined: this was not sealed by this service, or its start was changed. */
export function readKeyId(sealed: Uint8Array): string | undefined {
  if (sealed.length < TAG_END || sealed[0] !== VERSION) return undefined
  return Buffer.from(sealed.subarray(1, ID_END)).toString('hex')
}

/** Throws when a bit of it is not as it was sealed. */
export function decrypt(key: SecretKey, sealed: Uint8Array): Uint8Array {
  const decipher = createDecipheriv(ALGORITHM, key.bytes, sealed.subarray(ID_END, NONCE_END))
    .setAAD(sealed.subarray(0, ID_END))
    .setAuthTag(sealed.subarray(NONCE_END, TAG_END))
  return Buffer.concat([decipher.update(sealed.subarray(TAG_END)), decipher.final()])
}

const TEXT = 's1.'

/** The key's id stands in the text as it is, so that SQL can tell what another key sealed. */
export const toTextHeader = ({ id }: Pick<SecretKey, 'id'>): string => `${TEXT}${id}.`

export function encodeText(key: SecretKey, sealed: Uint8Array): string {
  return toTextHeader(key) + Buffer.from(sealed.subarray(ID_END)).toString('base64url')
}

/** undefined: this is no sealed text. */
export function decodeText(text: string): Uint8Array | undefined {
  const [, id, rest] = /^s1\.([0-9a-f]{16})\.([\w-]+)$/.exec(text) ?? []
  if (id === undefined || rest === undefined) return undefined
  return Buffer.concat([toHeader({ id }), Buffer.from(rest, 'base64url')])
}
