import { randomBytes } from 'node:crypto'
import {
  closeSync,
  fsyncSync,
  linkSync,
  openSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { openDataFolder } from '../db/data-folder.ts'
import { OperatorError } from '../errors.ts'
import { generateSecretKey, parseKeys, type SecretKey, toKeyText } from './keys.ts'

export const KEY_FILE = 'secret.key'

export const keyFilePath = (folder: string): string => join(folder, KEY_FILE)

/** Returns undefined if there is no key file. */
export function readKeyFile(folder: string): readonly SecretKey[] | undefined {
  const path = keyFilePath(folder)
  const text = withOperatorErrors(path, () => unlessAbsent(() => readFileSync(path, 'utf8')))
  return text === undefined ? undefined : parseKeys(text, path)
}

/** Changes with the file, since every change creates a new file under the old name. */
export function keyFileVersion(folder: string): string {
  const found = unlessAbsent(() => statSync(keyFilePath(folder), { bigint: true }))
  return found ? `${found.ino} ${found.mtimeNs} ${found.size}` : ''
}

/** If several processes do this at once, one creates the file and all get its key. */
export function createKeyFile(folder: string): readonly SecretKey[] {
  const path = keyFilePath(folder)
  withOperatorErrors(path, () => {
    openDataFolder(folder)
    const temporary = writeTemporaryFile(path, [generateSecretKey()])
    try {
      linkSync(temporary, path)
    } catch (error) {
      if (toErrorCode(error) !== 'EEXIST') throw error
    } finally {
      rmSync(temporary)
    }
    syncFolder(folder)
  })
  return readKeyFile(folder) as readonly SecretKey[]
}

/** Replaces the file atomically. */
export function replaceKeyFile(folder: string, keys: readonly SecretKey[]): void {
  const path = keyFilePath(folder)
  withOperatorErrors(path, () => {
    renameSync(writeTemporaryFile(path, keys), path)
    syncFolder(folder)
  })
}

function writeTemporaryFile(path: string, keys: readonly SecretKey[]): string {
  const temporary = `${path}.${randomBytes(6).toString('hex')}`
  const file = openSync(temporary, 'wx', 0o600)
  try {
    writeFileSync(file, keys.map((key) => `${toKeyText(key)}\n`).join(''))
    fsyncSync(file)
  } finally {
    closeSync(file)
  }
  return temporary
}

/** Makes the new name durable: a power cut could otherwise undo it. */
function syncFolder(folder: string): void {
  const handle = openSync(folder, 'r')
  try {
    fsyncSync(handle)
  } finally {
    closeSync(handle)
  }
}

const toErrorCode = (error: unknown): string | undefined => (error as NodeJS.ErrnoException).code

function unlessAbsent<T>(read: () => T): T | undefined {
  try {
    return read()
  } catch (error) {
    if (['ENOENT', 'ENOTDIR'].includes(toErrorCode(error) ?? '')) return undefined
    throw error
  }
}

function withOperatorErrors<T>(path: string, work: () => T): T {
  try {
    return work()
  } catch (error) {
    if (error instanceof OperatorError) throw error
    throw new OperatorError(
      `Cannot use the key file ${path}: ${(error as Error).message}. Let this user read and write it, or set HEDGEROW_SECRET_KEY.`,
    )
  }
}
