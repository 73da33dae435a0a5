import { readdir, readFile, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { AppProblem } from '#server/runtime/contract.ts'
import {
  type AppFiles,
  appTooLarge,
  isAppFile,
  MAX_APP_BYTES,
  MAX_APP_FILES,
  requireText,
  tooManyAppFiles,
} from '../package/app-files.ts'

const SKIPPED = /^(\.|node_modules$|__tests__$)/

/** Reads an app from a folder. Symbolic links are not followed, since they could lead anywhere. */
export async function readFolder(folder: string): Promise<AppFiles> {
  const names = await listNames(folder)
  let bytesLeft = MAX_APP_BYTES
  const files: [string, string][] = []
  for (const name of names) {
    bytesLeft -= (await stat(join(folder, name))).size
    if (bytesLeft < 0) throw appTooLarge()
    files.push([name, requireText(name, await readFile(join(folder, name)))])
  }
  return Object.fromEntries(files)
}

async function listNames(folder: string, below = ''): Promise<string[]> {
  const entries = await readdir(join(folder, below), { withFileTypes: true }).catch(
    (error: NodeJS.ErrnoException) => {
      throw new AppProblem(`The folder ${join(folder, below)} cannot be read (${error.code}).`)
    },
  )
  const names: string[] = []
  for (const entry of entries.toSorted((a, b) => (a.name < b.name ? -1 : 1))) {
    const name = below + entry.name
    if (entry.isDirectory() && !SKIPPED.test(entry.name)) {
      names.push(...(await listNames(folder, `${name}/`)))
    }
    if (entry.isFile() && isAppFile(name)) names.push(name)
    if (names.length > MAX_APP_FILES) throw tooManyAppFiles()
  }
  return names
}
