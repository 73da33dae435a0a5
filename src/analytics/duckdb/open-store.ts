import {
  createMaterializedProperties,
  type MaterializedProperties,
} from '../materialized-properties.ts'
import { type AppendLog, createAppendLog } from './append-log.ts'
import { createDedupeClock, type DedupeClock, type RunExclusively } from './dedupe-clock.ts'
import { rebuildFacts } from './facts.ts'
import type { EventsFile } from './file.ts'

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
      await file.memory.whole(() => rebuildFacts(file.changes, keys, clock.dedupedUpTo()))
      adopt()
    }),
  )
  const clock = createDedupeClock(file, log, materialized.keys, runExclusively)
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
