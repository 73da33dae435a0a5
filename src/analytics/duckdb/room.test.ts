import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { sql } from 'kysely'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { openEventsFile } from './file.ts'

async function openFile() {
  const folder = mkdtempSync(join(tmpdir(), 'room-'))
  const file = await openEventsFile(folder)
  onTestFinished(() => {
    file.close()
    rmSync(folder, { recursive: true })
  })
  return file
}

type File = Awaited<ReturnType<typeof openFile>>

const LIMIT = "select current_setting('memory_limit') as room"
/** Seen from a connection that asks for no more room. */
const roomOf = async ({ changes }: File) =>
  (await changes.runAndReadAll(LIMIT)).getRowObjectsJS()[0]?.room
const SMALL = '57.2 MiB'
const LARGE = '244.1 MiB'

describe('the room that DuckDB has', () => {
  it('is small while nobody asks', async () => {
    expect(await roomOf(await openFile())).toBe(SMALL)
  })

  it('is large for whoever asks, from the first question on', async () => {
    const file = await openFile()

    const [row] = await file.readers.ask(sql.raw(LIMIT) as never, 10_000)

    expect(row?.room).toBe(LARGE)
  })

  it('stays large as long as somebody may ask again, and is small after that', async () => {
    const file = await openFile()
    await file.room.during(async () => {})

    await file.room.narrow()
    expect(await roomOf(file)).toBe(LARGE)

    const later = performance.now() + 60_000
    vi.spyOn(performance, 'now').mockReturnValue(later)
    onTestFinished(() => void vi.restoreAllMocks())
    await file.room.narrow()
    expect(await roomOf(file)).toBe(SMALL)
  })

  it('is not taken from what is under way', async () => {
    const file = await openFile()

    await file.room.during(async () => {
      await file.room.narrow()
      expect(await roomOf(file)).toBe(LARGE)
    })
  })

  it('is all that a statement could change', async () => {
    const { changes } = await openFile()

    await changes.run("set global memory_limit = '100MB'")

    await expect(changes.run('set global threads = 1')).rejects.toThrow(/locked/)
    await expect(changes.run("set allowed_configs = ['threads']")).rejects.toThrow(/locked/)
  })
})
