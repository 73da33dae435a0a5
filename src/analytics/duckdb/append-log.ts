import type { EventBatch } from '../event-batch.ts'
import type { Written } from '../group-commit.ts'
import { DEFAULT_TIMEOUT_MS } from '../query-errors.ts'
import { appendBatch } from './append.ts'
import type { EventsFile } from './file.ts'
import { toNewestStatement } from './list-events.ts'

/** Numbers and writes the events of an open file. */
export interface AppendLog {
  write(batch: EventBatch): Promise<Written>
  /** Returns the highest sequence number that is on disk. */
  committed(): number
  /** Finds the highest sequence number of a project. */
  findNewest(projectId: number): Promise<number>
  /** Resolves when no event is being written. */
  idle(): Promise<void>
}

export function createAppendLog(file: EventsFile): AppendLog {
  let [last, committed] = [file.lastSeq, file.lastSeq]
  let appending: Promise<void> = Promise.resolve()
  /** Has the projects that were read or written. */
  const newest = new Map<number, number>()

  return {
    async write(batch) {
      const first = last + 1
      last += batch.count
      const append = file.memory.write(batch, () => appendBatch(file.appends, batch, first))
      appending = append.catch(() => {})
      await append
      committed = last
      for (const projectId of batch.projectIds) newest.set(projectId, last)
      return (from, to) => ({ first: first + from, count: to - from })
    },
    committed: () => committed,
    async findNewest(projectId) {
      const known = newest.get(projectId)
      if (known !== undefined) return known
      const statement = toNewestStatement(projectId, committed)
      const [row] = await file.readers.run(statement, DEFAULT_TIMEOUT_MS)
      if (!newest.has(projectId)) newest.set(projectId, row?.newest as number)
      return newest.get(projectId) as number
    },
    idle: () => appending,
  }
}
