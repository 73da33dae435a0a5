import { OperatorError } from '../errors.ts'
import { keyFilePath, keyFileVersion, readKeyFile } from './key-file.ts'
import { parseKeys, type SecretKey } from './keys.ts'

/** The keys at hand. */
export interface KeyRing {
  /** The one that seals. */
  first(): SecretKey
  all(): readonly SecretKey[]
  /** undefined: nobody gave it to us. */
  find(id: string): SecretKey | undefined
}

export interface KeySource {
  readonly dataFolder: string
  /** As the operator set it; undefined: the key file in the data folder. */
  readonly secretKey: string | undefined
}

/** undefined: there is no key yet. */
export function findKeyRing({ dataFolder, secretKey }: KeySource): KeyRing | undefined {
  if (secretKey !== undefined) return createKeyRing(parseKeys(secretKey, 'HEDGEROW_SECRET_KEY'))
  const keys = readKeyFile(dataFolder)
  return keys && ringOfFile(dataFolder, keys)
}

export function createKeyRing(keys: readonly SecretKey[]): KeyRing {
  return {
    first: () => keys[0] as SecretKey,
    all: () => keys,
    find: (id) => keys.find((key) => key.id === id),
  }
}

/**
 * `hedgerow secrets rotate` may change the file under a running server. Whether it did is asked before every seal
 * and for every key that is not known; that is one `stat`, 2 us.
 */
function ringOfFile(folder: string, keys: readonly SecretKey[]): KeyRing {
  // what was read just before a key was dropped may be opened just after
  const everKnown = new Map(keys.map((key) => [key.id, key]))
  let stamp = keyFileVersion(folder)
  let current = readKeyFile(folder) ?? keys

  function refresh(): void {
    const found = keyFileVersion(folder)
    if (found === stamp) return
    const read = readKeyFile(folder)
    if (!read) throw new OperatorError(`The key file ${keyFilePath(folder)} is gone. Restore it.`)
    for (const key of read) everKnown.set(key.id, key)
    stamp = found
    current = read
  }

  return {
    first() {
      refresh()
      return current[0] as SecretKey
    },
    all: () => current,
    find(id) {
      if (!everKnown.has(id)) refresh()
      return everKnown.get(id)
    },
  }
}
