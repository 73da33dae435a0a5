/**
 * Encrypts secrets before they are stored. Encrypt inside the transaction that stores them, once its lock is held: a key
 * rotation waits for that lock, and so misses nothing.
 */
export interface Secrets {
  encryptText(plain: string): string
  decryptText(encrypted: string): string
  encryptBytes(plain: Uint8Array): Uint8Array
  decryptBytes(encrypted: Uint8Array): Uint8Array
}
