/**
 * Tells workers that a run or a delivery may be due. A wake-up only saves the wait for the next poll: runs and
 * deliveries are rows, and the poll finds those whose wake-up was lost.
 */
export interface WakeUps {
  notify(): void
  /** Returns a function that stops listening. */
  listen(listener: () => void): () => void
  close(): Promise<void>
}

/** Reaches the workers of this process, which are the only ones on SQLite. */
export function createLocalWakeUps(): WakeUps {
  const listeners = new Set<() => void>()
  return {
    notify: () => {
      for (const listener of listeners) listener()
    },
    listen: (listener) => {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    close: async () => listeners.clear(),
  }
}
