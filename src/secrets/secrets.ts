/**
 * Seals what is stored and must not be read by whoever gets hold of the storage. Seal inside the transaction that
 * stores it, once its lock is held: a change of the key waits for that lock, and so misses nothing.
 */
export interface Secrets {
  encryptText(plain: string): string
  decryptText(sealed: string): string
  encryptBytes(plain: Uint8Array): Uint8Array
  decryptBytes(sealed: Uint8Array): Uint8Array
}
