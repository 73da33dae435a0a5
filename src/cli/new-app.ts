import { cp, mkdir, readdir, readFile, writeFile } from 'node:fs/promises'
import { basename, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { OperatorError } from '../errors.ts'

/** An app that works as it is; only its names are put in. */
const SKELETON = fileURLToPath(new URL('../../skeleton', import.meta.url))

const NAME = 'My app'
const PACKAGE = 'my-app'

export interface NewApp {
  readonly folder: string
  readonly name: string
  readonly files: readonly string[]
}

export async function createApp(folder: string): Promise<NewApp> {
  await makeEmptyFolder(folder)
  const name = toName(folder)
  try {
    await cp(SKELETON, folder, { recursive: true })
    const files = (await readdir(folder)).toSorted()
    for (const file of files) await fillIn(join(folder, file), name)
    return { folder, name, files }
  } catch (error) {
    throw cannotWrite(folder, error as NodeJS.ErrnoException)
  }
}

async function makeEmptyFolder(folder: string): Promise<void> {
  try {
    await mkdir(folder, { recursive: true })
    if ((await readdir(folder)).length === 0) return
  } catch (error) {
    throw cannotWrite(folder, error as NodeJS.ErrnoException)
  }
  throw new OperatorError(`${folder} is not empty. Name a folder that is, or a new one.`)
}

const cannotWrite = (folder: string, { code }: NodeJS.ErrnoException): OperatorError =>
  new OperatorError(`Cannot write to ${folder} (${code}).`)

async function fillIn(file: string, name: string): Promise<void> {
  const text = await readFile(file, 'utf8')
  await writeFile(file, text.replaceAll(NAME, name).replaceAll(PACKAGE, toPackage(name)))
}

/** `star-counter` -> `Star counter`. What JSON would have to escape is left out. */
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
