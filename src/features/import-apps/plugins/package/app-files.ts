import { isUtf8 } from 'node:buffer'
import { AppProblem } from '#server/runtime/contract.ts'

/** The text files of an app by path, relative to its folder, with forward slashes. */
export type AppFiles = Readonly<Record<string, string>>

export const MAX_APP_BYTES = 10 * 1024 * 1024
export const MAX_APP_FILES = 1000
const MAX_NAME = 200

export const FRONTEND = 'frontend.tsx'

const SOURCE = /\.([mc]?[jt]s|[jt]sx|json)$/
const TEST = /(^|\/)(__tests__|node_modules)\/|\.(test|spec)\.[^/]+$/
const HIDDEN = /(^|\/)\./

/** Tells whether a file is installed with the app: its source, connector.yaml and README.md. */
export const isAppFile = (name: string): boolean =>
  name === 'README.md' || name === 'connector.yaml' || (SOURCE.test(name) && !isForAuthor(name))

/** Tells whether a file serves only the author of an app: a test, a dependency or a hidden file. */
const isForAuthor = (name: string): boolean => TEST.test(name) || HIDDEN.test(name)

/** Refuses unsafe names, which would end up in messages and in the compiler's paths. */
export function requireFileName(name: string): void {
  const parts = name.split('/')
  const isPlain = parts.every((part) => part !== '' && part !== '.' && part !== '..')
  if (name.length > MAX_NAME || !isPlain || /[\p{Cc}\\:]/u.test(name)) {
    throw new AppProblem(`${JSON.stringify(name.slice(0, MAX_NAME))} is not a valid file name.`)
  }
}

/** Returns the files without those that serve only their author. Throws for others that are no part of an app. */
export function toAppFiles(files: AppFiles): AppFiles {
  for (const name of Object.keys(files)) {
    requireFileName(name)
    if (!isAppFile(name) && !isForAuthor(name)) {
      throw new AppProblem(
        `${name} cannot be part of an app. Only .ts, .tsx, .js, .jsx and .json files, connector.yaml and README.md can.`,
      )
    }
  }
  const kept = Object.entries(files).filter(([name]) => isAppFile(name))
  if (kept.length > MAX_APP_FILES) throw tooManyAppFiles()
  const bytes = kept.reduce((sum, [, text]) => sum + Buffer.byteLength(text), 0)
  if (bytes > MAX_APP_BYTES) throw appTooLarge()
  return Object.fromEntries(kept)
}

export const appTooLarge = (): AppProblem =>
  new AppProblem('The app is larger than 10 MiB unpacked, which is the limit.')

export const tooManyAppFiles = (): AppProblem =>
  new AppProblem(`The app has more than ${MAX_APP_FILES} files, which is the limit.`)

/** Refuses NUL too: it is valid UTF-8, but PostgreSQL cannot store it. */
export function requireText(name: string, bytes: Buffer): string {
  if (!isUtf8(bytes) || bytes.includes(0)) throw new AppProblem(`${name} is not UTF-8 text.`)
  return bytes.toString('utf8')
}
