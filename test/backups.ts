import { mkdtemp, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { onTestFinished } from 'vitest'
import { openArchive, readWhole } from '#server/backup/archive/read-archive.ts'
import { fastFolder } from './fast-folder.ts'

/** Returns a new folder; it is deleted when the test ends. */
export async function temporaryFolder(): Promise<string> {
  const folder = await mkdtemp(join(fastFolder(), 'hedgerow-test-'))
  onTestFinished(() => rm(folder, { recursive: true, force: true }))
  return folder
}

/** Reads the rows of a table of the database from a backup. */
export async function readRows(path: string, table: string): Promise<unknown[]> {
  const archive = await openArchive(path)
  const parts = archive.members.filter(({ name }) => name.startsWith(`metadata/${table}/`))
  const texts = await Promise.all(parts.map(readWhole))
  await archive.close()
  return texts
    .flatMap((text) => text.toString().trimEnd().split('\n'))
    .map((line) => JSON.parse(line))
}
