/**
 * Tells workers that a run may be due. It only saves them the wait for their next look: a run is a row, and a row
 * whose wake was lost is found by that look.
 */
export interface WakeUps {
  notify(): void
  /** Returns how to stop listening. */
  listen(listener: () => void): () => void
  close(): Promise<void>
}

/** Within one process, which is all there is on SQLite. */
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
