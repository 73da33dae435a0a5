import { isUtf8 } from 'node:buffer'
import { AppProblem } from '#server/runtime/contract.ts'

/** An app's texts by name, relative to its folder, with forward slashes. */
export type AppFiles = Readonly<Record<string, string>>

export const MAX_APP_BYTES = 10 * 1024 * 1024
export const MAX_APP_FILES = 1000
const MAX_NAME = 200

export const FRONTEND = 'frontend.tsx'

const SOURCE = /\.([mc]?[jt]s|[jt]sx|json)$/
const TEST = /(^|\/)(__tests__|node_modules)\/|\.(test|spec)\.[^/]+$/
const HIDDEN = /(^|\/)\./

/** What an app may need to run, and what tells about it. Tests and dependencies stay where they are. */
export const isAppFile = (name: string): boolean =>
  name === 'README.md' || (SOURCE.test(name) && !TEST.test(name) && !HIDDEN.test(name))

/** Also for names that were sent: they go into messages, and into the compiler's paths. */
export function requireFileName(name: string): void {
  const parts = name.split('/')
  const isPlain = parts.every((part) => part !== '' && part !== '.' && part !== '..')
  if (name.length > MAX_NAME || !isPlain || /[\p{Cc}\\:]/u.test(name)) {
    throw new AppProblem(`${JSON.stringify(name.slice(0, MAX_NAME))} is no name for an app's file.`)
  }
}

export function requireAppFiles(files: AppFiles): void {
  const names = Object.keys(files)
  for (const name of names) {
    requireFileName(name)
    if (!isAppFile(name)) {
      throw new AppProblem(
        `${name} cannot be part of an app: it holds .ts, .tsx, .js, .jsx and .json files, and README.md.`,
      )
    }
  }
  if (names.length > MAX_APP_FILES) throw tooManyAppFiles()
  const bytes = Object.values(files).reduce((sum, text) => sum + Buffer.byteLength(text), 0)
  if (bytes > MAX_APP_BYTES) throw appTooLarge()
}

export const appTooLarge = (): AppProblem =>
  new AppProblem('The app is larger than 10 MiB unpacked, the most that an app may be.')

export const tooManyAppFiles = (): AppProblem =>
  new AppProblem(`The app has more than ${MAX_APP_FILES} files, the most that an app may have.`)

/** NUL is UTF-8 too, but PostgreSQL cannot keep it. */
export function decodeText(name: string, bytes: Buffer): string {
  if (!isUtf8(bytes) || bytes.includes(0)) throw new AppProblem(`${name} is not UTF-8 text.`)
  return bytes.toString('utf8')
}
