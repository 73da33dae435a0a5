import { cp, mkdir, readdir, readFile, writeFile } from 'node:fs/promises'
import { basename, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { OperatorError } from '../errors.ts'

/** A working app in which only the names are replaced. */
const SKELETON = fileURLToPath(new URL('../../skeleton', import.meta.url))

const NAME = 'My app'
const PACKAGE = 'my-app'

export interface NewApp {
  readonly folder: string
  readonly name: string
  readonly files: readonly string[]
}

export async function createApp(folder: string): Promise<NewApp> {
  await createEmptyFolder(folder)
  const name = toName(folder)
  try {
    await cp(SKELETON, folder, { recursive: true })
    const files = (await readdir(folder)).toSorted()
    for (const file of files) await replaceNames(join(folder, file), name)
    return { folder, name, files }
  } catch (error) {
    throw cannotWrite(folder, error as NodeJS.ErrnoException)
  }
}

async function createEmptyFolder(folder: string): Promise<void> {
  try {
    await mkdir(folder, { recursive: true })
    if ((await readdir(folder)).length === 0) return
  } catch (error) {
    throw cannotWrite(folder, error as NodeJS.ErrnoException)
  }
  throw new OperatorError(`${folder} is not empty. Choose an empty or new folder.`)
}

const cannotWrite = (folder: string, { code }: NodeJS.ErrnoException): OperatorError =>
  new OperatorError(`Cannot write to ${folder} (${code}).`)

async function replaceNames(file: string, name: string): Promise<void> {
  const text = await readFile(file, 'utf8')
  await writeFile(file, text.replaceAll(NAME, name).replaceAll(PACKAGE, toPackage(name)))
}

/** Turns `star-counter` into `Star counter`, without characters that JSON would have to escape. */
function toName(folder: string): string {
  const words = basename(folder)
    .replace(/[^\p{L}\p{N}]+/gu, ' ')
    .trim()
  return words ? words.charAt(0).toUpperCase() + words.slice(1, 200) : NAME
}

const toPackage = (name: string): string =>
  name
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-+|-+$/g, '') || PACKAGE
