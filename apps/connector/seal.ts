import { createCipheriv, createDecipheriv, hash, randomBytes } from 'node:crypto'

const CIPHER = 'aes-256-gcm'
const IV_BYTES = 12
const TAG_BYTES = 16

/** Encrypts a secret by another one, because the state of an import can be read. */
export function seal(text: string, key: string): string {
  const iv = randomBytes(IV_BYTES)
  const cipher = createCipheriv(CIPHER, toKey(key), iv)
  const content = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()])
  return Buffer.concat([iv, cipher.getAuthTag(), content]).toString('base64')
}

/** Returns undefined for a text that was sealed by another key. */
export function unseal(sealed: string, key: string): string | undefined {
  const bytes = Buffer.from(sealed, 'base64')
  const iv = bytes.subarray(0, IV_BYTES)
  const tag = bytes.subarray(IV_BYTES, IV_BYTES + TAG_BYTES)
  try {
    const decipher = createDecipheriv(CIPHER, toKey(key), iv, { authTagLength: TAG_BYTES })
    decipher.setAuthTag(tag)
    const content = decipher.update(bytes.subarray(IV_BYTES + TAG_BYTES))
    return Buffer.concat([content, decipher.final()]).toString('utf8')
  } catch {
    return undefined
  }
}

const toKey = (key: string): Buffer => hash('sha256', key, 'buffer')
