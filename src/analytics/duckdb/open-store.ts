import {
  createMaterializedProperties,
  type MaterializedProperties,
} from '../materialized-properties.ts'
import { type AppendLog, createAppendLog } from './append-log.ts'
import { deleteDuplicates } from './dedupe.ts'
import { createDedupeClock, type DedupeClock } from './dedupe-clock.ts'
import { rebuildFacts } from './facts.ts'
import type { EventsFile } from './file.ts'

/** Runs changes one after the other. */
export type RunExclusively = <T>(change: () => Promise<T>) => Promise<T>

/** An open file, with the state of its events. */
export interface OpenStore {
  readonly file: EventsFile
  readonly materialized: MaterializedProperties
  readonly log: AppendLog
  readonly clock: DedupeClock
  deletions: number
}

export function toOpenStore(file: EventsFile, runExclusively: RunExclusively): OpenStore {
  const log = createAppendLog(file)
  const materialized = createMaterializedProperties(file.materializedKeys, (keys, adopt) =>
    runExclusively(async () => {
      await rebuildFacts(file.changes, keys, clock.dedupedUpTo())
      adopt()
    }),
  )
  const clock = createDedupeClock({
    dedupedUpTo: file.dedupedUpTo,
    committed: log.committed,
    deleteDuplicates: (after, upTo) =>
      deleteDuplicates(file.changes, materialized.keys(), after, upTo),
    runExclusively,
  })
  return { file, materialized, log, clock, deletions: file.deletions }
}

/** Closes the file when whatever runs on it has ended. */
export async function closeStore(
  store: OpenStore | undefined,
  changing: Promise<unknown>,
): Promise<void> {
  store?.clock.stop()
  await store?.log.idle()
  await changing
  await store?.materialized.close()
  await store?.file.close()
}
