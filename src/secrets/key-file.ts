import { randomBytes } from 'node:crypto'
import {
  closeSync,
  fsyncSync,
  linkSync,
  mkdirSync,
  openSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { OperatorError } from '../errors.ts'
import { generateSecretKey, parseKeys, type SecretKey, toKeyText } from './keys.ts'

export const KEY_FILE = 'secret.key'

export const keyFilePath = (folder: string): string => join(folder, KEY_FILE)

/** undefined: there is none. */
export function readKeyFile(folder: string): readonly SecretKey[] | undefined {
  const path = keyFilePath(folder)
  const text = tryOn(path, () => unlessAbsent(() => readFileSync(path, 'utf8')))
  return text === undefined ? undefined : parseKeys(text, path)
}

/** Changes whenever the file does: every change is a new file under the old name. */
export function keyFileVersion(folder: string): string {
  const found = unlessAbsent(() => statSync(keyFilePath(folder), { bigint: true }))
  return found ? `${found.ino} ${found.mtimeNs} ${found.size}` : ''
}

/** Of several processes that do this at once one makes the file, and all have its key. */
export function createKeyFile(folder: string): readonly SecretKey[] {
  const path = keyFilePath(folder)
  tryOn(path, () => {
    mkdirSync(folder, { recursive: true, mode: 0o700 })
    const written = writeBeside(path, [generateSecretKey()])
    try {
      linkSync(written, path)
    } catch (error) {
      if (codeOf(error) !== 'EEXIST') throw error
    } finally {
      rmSync(written)
    }
    syncFolder(folder)
  })
  return readKeyFile(folder) as readonly SecretKey[]
}

/** The old file or the new one is there at every moment, never half of one. */
export function replaceKeyFile(folder: string, keys: readonly SecretKey[]): void {
  const path = keyFilePath(folder)
  tryOn(path, () => {
    renameSync(writeBeside(path, keys), path)
    syncFolder(folder)
  })
}

function writeBeside(path: string, keys: readonly SecretKey[]): string {
  const beside = `${path}.${randomBytes(6).toString('hex')}`
  const file = openSync(beside, 'wx', 0o600)
  try {
    writeFileSync(file, keys.map((key) => `${toKeyText(key)}\n`).join(''))
    fsyncSync(file)
  } finally {
    closeSync(file)
  }
  return beside
}

/** Or a power cut could take the name away again. */
function syncFolder(folder: string): void {
  const handle = openSync(folder, 'r')
  try {
    fsyncSync(handle)
  } finally {
    closeSync(handle)
  }
}

const codeOf = (error: unknown): string | undefined => (error as NodeJS.ErrnoException).code

function unlessAbsent<T>(read: () => T): T | undefined {
  try {
    return read()
  } catch (error) {
    if (['ENOENT', 'ENOTDIR'].includes(codeOf(error) ?? '')) return undefined
    throw error
  }
}

function tryOn<T>(path: string, work: () => T): T {
  try {
    return work()
  } catch (error) {
    if (error instanceof OperatorError) throw error
    throw new OperatorError(
      `Cannot use the key file ${path}: ${(error as Error).message}. Let this user read and write it, or set HEDGEROW_SECRET_KEY.`,
    )
  }
}
