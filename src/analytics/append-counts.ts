import type { EventStore } from './event-store.ts'

export interface AppendCounts {
  events: number
  /** Appends that failed; their senders were told. */
  failures: number
}

/** Counts the events that are appended. On DuckDB these include duplicates, which are found later. */
export function withAppendCounts(store: EventStore, counts: AppendCounts): EventStore {
  const count =
    <Args extends unknown[]>(append: (...args: Args) => ReturnType<EventStore['append']>) =>
    async (...args: Args) => {
      try {
        const appended = await append(...args)
        counts.events += appended.count
        return appended
      } catch (error) {
        counts.failures++
        throw error
      }
    }
  return { ...store, append: count(store.append), appendPacked: count(store.appendPacked) }
}
