import { readFile, truncate, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { temporaryFolder } from '../../../test/support/data/backups.ts'
import { openEventsFile } from './file.ts'

/** Creates a file of events and truncates it, as a kill or a full disk leaves it while DuckDB creates it. */
async function createFile(size: number): Promise<string> {
  const folder = await temporaryFolder()
  const file = await openEventsFile(folder, { id: 'x', has_events: 0 })
  await file.close()
  await truncate(join(folder, 'events.duckdb'), size)
  return folder
}

describe('a file of events without all of its headers', () => {
  it.each([0, 100, 4096, 8192])('is created again at %i bytes', async (size) => {
    const folder = await createFile(size)
    await writeFile(join(folder, 'events.duckdb.wal'), '')

    const file = await openEventsFile(folder, { id: 'x', has_events: 0 })

    expect(file.lastSeq).toBe(0)
    await file.close()
  })

  it('is damaged if there were events', async () => {
    const folder = await createFile(4096)

    const opening = openEventsFile(folder, { id: 'x', has_events: 1 })

    await expect(opening).rejects.toThrow('are damaged')
    expect(await readFile(join(folder, 'events.duckdb'))).toHaveLength(4096)
  })
})

it('keeps a file that is none of DuckDB', async () => {
  const folder = await temporaryFolder()
  const content = Buffer.alloc(20_000, 7)
  await writeFile(join(folder, 'events.duckdb'), content)

  const opening = openEventsFile(folder, { id: 'x', has_events: 0 })

  await expect(opening).rejects.toThrow('are damaged')
  expect(await readFile(join(folder, 'events.duckdb'))).toEqual(content)
})
