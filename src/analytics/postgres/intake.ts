import type { Db, Tx } from '#server/db/schema.ts'
import { type EventBatch, MAX_CHUNK_ROWS } from '../event-batch.ts'
import type { EventStore } from '../event-store.ts'
import { createGroupCommit, type Written } from '../group-commit.ts'
import { type Arrival, readArrivals } from './arrivals.ts'
import { isTaken } from './insert-keys.ts'
import { type EventSink, takeEvents } from './take-events.ts'

interface IntakeOptions {
  readonly db: Db
  readonly sink: EventSink
  /** Runs before the transaction that takes events in. */
  prepare(arrivals: readonly Arrival[]): Promise<void>
  /** Runs last in the transaction. */
  onTake?(tx: Tx, batch: EventBatch): Promise<void>
  /** Is told the number of events when they are durable. */
  onTaken(count: number): void
}

interface Intake {
  readonly methods: Pick<EventStore, 'append' | 'appendPacked' | 'countNew'>
  close(): Promise<void>
}

/** Takes events in: each UUID of a project once, in their order of arrival, with the persons of their IDs. */
export function createIntake({ db, sink, prepare, onTake, onTaken }: IntakeOptions): Intake {
  const group = createGroupCommit(write, { parallel: 2, maxRows: MAX_CHUNK_ROWS })
  let ordered: Promise<void> = Promise.resolve()

  /** Begins to take a batch when the events of the one before have their order. */
  async function write(batch: EventBatch): Promise<Written> {
    const before = ordered
    const { promise, resolve: onOrdered } = Promise.withResolvers<void>()
    ordered = promise
    try {
      return await writeAfter(before, batch, onOrdered)
    } finally {
      onOrdered()
    }
  }

  async function writeAfter(
    before: Promise<void>,
    batch: EventBatch,
    onOrdered: () => void,
  ): Promise<Written> {
    const arrivals = await readArrivals(batch)
    await prepare(arrivals)
    await before
    const fresh = await take(batch, arrivals, onOrdered)
    onTaken(fresh.length)
    return (from, to) => ({ first: 0, count: fresh.slice(from, to).filter(Boolean).length })
  }

  async function take(
    batch: EventBatch,
    arrivals: readonly Arrival[],
    onOrdered: () => void,
  ): Promise<boolean[]> {
    try {
      return await db.transaction().execute(async (tx) => {
        const taken = await takeEvents({ tx, sink }, batch, arrivals, onOrdered)
        await onTake?.(tx, batch)
        return taken
      })
    } catch (error) {
      if (!isTaken(error)) throw error
      return take(batch, arrivals, onOrdered) // ends, because each failure leaves fewer events to store
    }
  }

  return {
    methods: {
      append: group.append,
      appendPacked: group.appendPacked,
      countNew: async (_projectId, appended) => appended.reduce((sum, { count }) => sum + count, 0),
    },
    close: group.close,
  }
}
