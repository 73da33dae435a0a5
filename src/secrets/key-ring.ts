import { OperatorError } from '../errors.ts'
import { keyFilePath, keyFileVersion, readKeyFile } from './key-file.ts'
import { parseKeys, type SecretKey } from './keys.ts'

/** The keys of this process. */
export interface KeyRing {
  /** The key that encrypts. */
  first(): SecretKey
  all(): readonly SecretKey[]
  /** Returns undefined for a key that this process was not given. */
  find(id: string): SecretKey | undefined
}

export interface KeySource {
  readonly dataFolder: string
  /** The operator's setting. If undefined, the key file in the data folder is used. */
  readonly secretKey: string | undefined
}

/** Returns undefined if there is no key yet. */
export function findKeyRing({ dataFolder, secretKey }: KeySource): KeyRing | undefined {
  if (secretKey !== undefined) return createKeyRing(parseKeys(secretKey, 'HEDGEROW_SECRET_KEY'))
  const keys = readKeyFile(dataFolder)
  return keys && createFileKeyRing(dataFolder, keys)
}

export function createKeyRing(keys: readonly SecretKey[]): KeyRing {
  return {
    first: () => keys[0] as SecretKey,
    all: () => keys,
    find: (id) => keys.find((key) => key.id === id),
  }
}

/**
 * Follows the key file, which `hedgerow secrets rotate` may change under a running server. Checks it before every
 * encryption and for every unknown key, with one `stat` of 2 us.
 */
function createFileKeyRing(folder: string, keys: readonly SecretKey[]): KeyRing {
  // a secret read just before its key was deleted may be decrypted just after
  const allKnown = new Map(keys.map((key) => [key.id, key]))
  let version = keyFileVersion(folder)
  let current = readKeyFile(folder) ?? keys

  function refresh(): void {
    const found = keyFileVersion(folder)
    if (found === version) return
    const read = readKeyFile(folder)
    if (!read) throw new OperatorError(`The key file ${keyFilePath(folder)} is gone. Restore it.`)
    for (const key of read) allKnown.set(key.id, key)
    version = found
    current = read
  }

  return {
    first() {
      refresh()
      return current[0] as SecretKey
    },
    all: () => current,
    find(id) {
      if (!allKnown.has(id)) refresh()
      return allKnown.get(id)
    },
  }
}
