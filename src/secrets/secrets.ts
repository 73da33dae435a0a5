/**
 * Seals what is stored and must not be read by whoever gets hold of the storage. Seal inside the transaction that
 * stores it, once its lock is held: a change of the key waits for that lock, and so misses nothing.
 */
export interface Secrets {
  sealText(plain: string): string
  openText(sealed: string): string
  sealBytes(plain: Uint8Array): Uint8Array
  openBytes(sealed: Uint8Array): Uint8Array
}
