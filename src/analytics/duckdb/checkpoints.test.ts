import { randomUUID } from 'node:crypto'
import { mkdtempSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it, onTestFinished } from 'vitest'
import { createDuckDbStore } from './store.ts'

const MIB = 1024 * 1024

const toEvent = () => ({
  uuid: randomUUID(),
  event: 'bought',
  distinct_id: 'ann',
  timestamp: '2026-11-15T12:00:00.000Z',
  properties: JSON.stringify({ note: randomUUID().repeat(4) }),
})

it('writes what an import brings out of memory while it comes in', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'checkpoints-'))
  const store = createDuckDbStore(folder)
  onTestFinished(async () => {
    await store.close()
    rmSync(folder, { recursive: true })
  })
  let longest = 0

  for (let round = 0; round < 40; round++) {
    await store.append(1, Array.from({ length: 4000 }, toEvent))
    const log = statSync(join(folder, 'events.duckdb.wal'), { throwIfNoEntry: false })
    longest = Math.max(longest, log?.size ?? 0)
  }

  // what is in the log is in memory too; in all there were 36 MB of it
  expect(longest).toBeLessThan(10 * MIB)
})
