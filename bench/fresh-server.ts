import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type Running, startHedgerow } from './processes.ts'
import { type Result, toLine } from './result.ts'
import { seed } from './seed.ts'

/** Measures something on a server with empty storage, which shares a core with its worker and apps. */
export async function onFreshServer(
  say: (text: string) => void,
  measure: (server: Running) => Promise<Result[]>,
): Promise<Result[]> {
  const folder = await mkdtemp(join(tmpdir(), 'hedgerow-bench-'))
  await seed(folder, 0)
  const server = await startHedgerow(folder)
  try {
    const results = await measure(server)
    for (const result of results) say(toLine(result))
    return results
  } finally {
    await server.stop()
    await rm(folder, { recursive: true })
  }
}
