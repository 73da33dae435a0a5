/** The number of tasks that may run and wait at a time. */
export interface Share {
  readonly running: number
  readonly waiting: number
}

export interface FairLimitOptions {
  /** For all owners together. */
  readonly total: Share
  /** For one owner, by the owner's place in the list of a task's owners: for example a project, then a key. */
  readonly shares: readonly Share[]
  /** Creates the error of a task that may neither run nor wait. */
  readonly refuse: () => Error
}

export interface FairLimit {
  /** Counts the tasks that run and wait now. */
  load(): Share
  /** Waits for a slot and returns the function that releases it. Stops waiting when the signal aborts. */
  acquire(owners: readonly string[], signal?: AbortSignal): Promise<() => void>
  /** Runs the task in a slot. */
  run<T>(owners: readonly string[], task: () => Promise<T>, signal?: AbortSignal): Promise<T>
}

interface Waiting {
  readonly owners: readonly string[]
  readonly start: () => void
}

const EVERYONE = 'everyone'

/**
 * Limits concurrent tasks so that no owner gets more than its share of the slots and of the queue. A free slot goes to
 * the project that has waited longest for a turn, within it to the key that has, and then to the oldest task.
 */
export function createFairLimit({ total, shares, refuse }: FairLimitOptions): FairLimit {
  const limits = [total, ...shares]
  const running = createCounter()
  const waiting = createCounter()
  const queue = new Set<Waiting>()
  /** The last turn of each owner since tasks began to wait. */
  const lastTurns = new Map<string, number>()
  let turns = 0

  const canStart = (owners: readonly string[]): boolean =>
    owners.every((owner, level) => running.get(owner) < (limits[level]?.running ?? 0))

  const canWait = (owners: readonly string[]): boolean =>
    owners.every((owner, level) => waiting.get(owner) < (limits[level]?.waiting ?? 0))

  function start(owners: readonly string[]): () => void {
    running.add(owners, 1)
    turns++
    for (const owner of owners) lastTurns.set(owner, turns)
    let isReleased = false
    return () => {
      if (isReleased) return
      isReleased = true
      running.add(owners, -1)
      startNext()
    }
  }

  function startNext(): void {
    for (let next = findNext(); next; next = findNext()) next.start()
    if (queue.size === 0) lastTurns.clear()
  }

  function findNext(): Waiting | undefined {
    let next: Waiting | undefined
    for (const task of queue) {
      if (canStart(task.owners) && (!next || isBefore(task, next))) next = task
    }
    return next
  }

  function isBefore(one: Waiting, other: Waiting): boolean {
    for (const [level, owner] of one.owners.entries()) {
      const difference = lastTurn(owner) - lastTurn(other.owners[level] ?? '')
      if (difference !== 0) return difference < 0
    }
    return false
  }

  const lastTurn = (owner: string): number => lastTurns.get(owner) ?? 0

  function wait(owners: readonly string[], signal: AbortSignal | undefined): Promise<() => void> {
    return new Promise((resolve, reject) => {
      const leave = () => {
        queue.delete(task)
        waiting.add(owners, -1)
        signal?.removeEventListener('abort', abort)
      }
      const abort = () => {
        leave()
        reject(signal?.reason)
      }
      const task: Waiting = {
        owners,
        start() {
          leave()
          resolve(start(owners))
        },
      }
      queue.add(task)
      waiting.add(owners, 1)
      signal?.addEventListener('abort', abort, { once: true })
    })
  }

  async function acquire(names: readonly string[], signal?: AbortSignal): Promise<() => void> {
    signal?.throwIfAborted()
    const owners = [EVERYONE, ...names.map((name, level) => `${level} ${name}`)]
    if (canStart(owners)) return start(owners)
    if (!canWait(owners)) throw refuse()
    return wait(owners, signal)
  }

  return {
    load: () => ({ running: running.get(EVERYONE), waiting: queue.size }),
    acquire,
    async run(owners, task, signal) {
      const release = await acquire(owners, signal)
      try {
        return await task()
      } finally {
        release()
      }
    },
  }
}

/** Counts tasks by owner and forgets owners without any. */
function createCounter() {
  const counts = new Map<string, number>()
  return {
    get: (owner: string): number => counts.get(owner) ?? 0,
    add(owners: readonly string[], change: 1 | -1): void {
      for (const owner of owners) {
        const count = (counts.get(owner) ?? 0) + change
        if (count === 0) counts.delete(owner)
        else counts.set(owner, count)
      }
    },
  }
}
