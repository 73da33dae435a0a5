import { createHash, randomBytes } from 'node:crypto'
import { OperatorError } from '../errors.ts'

const KEY_BYTES = 32

export interface SecretKey {
  /** Identifies the key without revealing anything about it. */
  readonly id: string
  readonly bytes: Uint8Array
}

const toKey = (bytes: Uint8Array): SecretKey => ({
  id: createHash('sha256').update('hedgerow key ').update(bytes).digest('hex').slice(0, 16),
  bytes,
})

export const generateSecretKey = (): SecretKey => toKey(randomBytes(KEY_BYTES))

export const toKeyText = ({ bytes }: SecretKey): string => Buffer.from(bytes).toString('base64')

/** Parses one or more keys; the first one encrypts. `source` names their origin in errors. */
export function parseKeys(text: string, source: string): readonly SecretKey[] {
  const words = text.split(/[\s,]+/).filter((word) => word !== '')
  const keys = words.flatMap((word) => parseKey(word) ?? [])
  if (words.length === 0 || keys.length < words.length) {
    throw new OperatorError(
      `${source} must contain 32 bytes in base64 or hex, or several such keys separated by commas. Create one with: openssl rand -base64 32`,
    )
  }
  return keys
}

function parseKey(word: string): SecretKey | undefined {
  if (/^[0-9a-f]{64}$/i.test(word)) return toKey(Buffer.from(word, 'hex'))
  if (/^[\w+/-]{43}=?$/.test(word)) return toKey(Buffer.from(word, 'base64'))
  return undefined
}
