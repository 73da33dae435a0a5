/** Runs at most `max` tasks at a time; the others wait in order. */
export function createLimit(max: number): <T>(task: () => Promise<T>) => Promise<T> {
  const waiting: (() => void)[] = []
  let running = 0
  return async (task) => {
    if (running >= max) await new Promise<void>((resolve) => waiting.push(resolve))
    else running++
    try {
      return await task()
    } finally {
      const next = waiting.shift()
      if (next) next()
      else running--
    }
  }
}

/** Maps the items in order, at most `max` at a time. After a failure, no more are begun. */
export async function mapAtMost<Item, Result>(
  max: number,
  items: readonly Item[],
  map: (item: Item) => Promise<Result>,
): Promise<Result[]> {
  const results: Result[] = []
  const left = [...items.entries()].reverse()
  const work = async () => {
    for (let next = left.pop(); next; next = left.pop()) results[next[0]] = await map(next[1])
  }
  try {
    await Promise.all(Array.from({ length: max }, work))
    return results
  } finally {
    left.length = 0
  }
}

/** Runs tasks whose costs add up to at most `max`; the others wait in order. One that costs more runs alone. */
export function createBudget(max: number): <T>(cost: number, task: () => Promise<T>) => Promise<T> {
  const waiting: { readonly cost: number; readonly start: () => void }[] = []
  let spent = 0

  const hasRoomFor = (cost: number) => spent === 0 || spent + cost <= max
  const startNext = () => {
    for (let next = waiting[0]; next && hasRoomFor(next.cost); next = waiting[0]) {
      waiting.shift()
      spent += next.cost
      next.start()
    }
  }

  return async (cost, task) => {
    await new Promise<void>((start) => {
      waiting.push({ cost, start })
      startNext()
    })
    try {
      return await task()
    } finally {
      spent -= cost
      startNext()
    }
  }
}

/** Runs tasks that share a key one after the other; tasks with different keys do not wait for each other. */
export function createKeyedMutex<K>(): <T>(key: K, task: () => Promise<T>) => Promise<T> {
  const tails = new Map<K, Promise<unknown>>()
  return async (key, task) => {
    const result = (tails.get(key) ?? Promise.resolve()).then(task)
    const tail = result.catch(() => {})
    tails.set(key, tail)
    try {
      return await result
    } finally {
      if (tails.get(key) === tail) tails.delete(key)
    }
  }
}

/** Rejects with `error()` if the task has not settled after `ms`. The task continues, and a later failure is ignored. */
export async function withTimeout<T>(task: Promise<T>, ms: number, error: () => Error): Promise<T> {
  const { promise: timedOut, reject } = Promise.withResolvers<never>()
  const timer = setTimeout(() => reject(error()), ms)
  task.catch(() => {})
  try {
    return await Promise.race([task, timedOut])
  } finally {
    clearTimeout(timer)
  }
}

/** Waits until the task settles, at most `ms`. The task itself continues. */
export async function waitAtMost(task: Promise<unknown>, ms: number): Promise<void> {
  const { promise: timedOut, resolve } = Promise.withResolvers<void>()
  const timer = setTimeout(resolve, ms)
  try {
    await Promise.race([task, timedOut])
  } finally {
    clearTimeout(timer)
  }
}

/**
 * Shares the results of equal reads. Callers that come while a read runs share the next one, because the running one
 * may not see what was written before they came.
 */
export function createSharedReads<T>(): (key: string, read: () => Promise<T>) => Promise<T> {
  const running = new Map<string, Promise<T>>()
  const next = new Map<string, Promise<T>>()

  function start(key: string, read: () => Promise<T>): Promise<T> {
    next.delete(key)
    const result = read().finally(() => {
      if (running.get(key) === result) running.delete(key)
    })
    running.set(key, result)
    return result
  }

  function startAfter(current: Promise<T>, key: string, read: () => Promise<T>): Promise<T> {
    const following = current.then(
      () => start(key, read),
      () => start(key, read),
    )
    next.set(key, following)
    return following
  }

  return (key, read) => {
    const current = running.get(key)
    return current ? (next.get(key) ?? startAfter(current, key, read)) : start(key, read)
  }
}

export interface BatcherOptions<Item, Result> {
  /** Returns how many of the waiting items form the next batch: at least one, or none while others run. */
  countNext(waiting: readonly Item[], running: number): number
  /** Settles each item of a batch, in order. If it rejects, every item of the batch does. */
  run(items: readonly Item[]): Promise<readonly PromiseSettledResult<Result>[]>
  /** The number of batches that may run at once: 1 by default. */
  readonly maxRunning?: number
}

export interface Batcher<Item, Result> {
  add(item: Item): Promise<Result>
  /** Resolves when every item that was added has settled. */
  idle(): Promise<void>
}

interface Settle<Result> {
  readonly resolve: (value: Result) => void
  readonly reject: (error: unknown) => void
}

/** Runs one batch at a time. Items that arrive during a batch share the next one: a group commit. */
export function createBatcher<Item, Result>({
  countNext,
  run,
  maxRunning = 1,
}: BatcherOptions<Item, Result>): Batcher<Item, Result> {
  let waiting: Item[] = []
  let callers: Settle<Result>[] = []
  const running = new Set<Promise<void>>()
  let starting: Promise<void> | undefined

  async function startSoon(): Promise<void> {
    // after this turn of the event loop, so that requests that arrive together share a batch
    await new Promise(setImmediate)
    starting = undefined
    startNext()
  }

  function startNext(): void {
    while (waiting.length > 0 && running.size < maxRunning) {
      const count = countNext(waiting, running.size)
      if (count === 0) return
      const [items, itemCallers] = [waiting.slice(0, count), callers.slice(0, count)]
      waiting = waiting.slice(count)
      callers = callers.slice(count)
      const batch = runBatch(items, itemCallers).then(() => {
        running.delete(batch)
        startNext()
      })
      running.add(batch)
    }
  }

  async function runBatch(items: readonly Item[], itemCallers: readonly Settle<Result>[]) {
    try {
      const results = await run(items)
      for (const [index, { resolve, reject }] of itemCallers.entries()) {
        const result = results[index]
        if (result?.status === 'fulfilled') resolve(result.value)
        else reject(result?.reason)
      }
    } catch (error) {
      for (const { reject } of itemCallers) reject(error)
    }
  }

  return {
    add(item) {
      return new Promise((resolve, reject) => {
        waiting.push(item)
        callers.push({ resolve, reject })
        starting ??= startSoon()
      })
    },
    async idle() {
      while (starting || running.size > 0) await Promise.all([starting, ...running])
    },
  }
}

/** Creates a function that is true at most once per interval, for reports of progress. */
export function createPace(intervalMs: number, lastAt = Number.NEGATIVE_INFINITY): () => boolean {
  let last = lastAt
  return () => {
    const now = performance.now()
    if (now - last < intervalMs) return false
    last = now
    return true
  }
}

/** Runs `work` once for all callers, and again for the next caller if it fails. */
export function untilItSucceeds<T>(work: () => Promise<T>): () => Promise<T> {
  let running: Promise<T> | undefined
  return () => {
    running ??= work().catch((error) => {
      running = undefined
      throw error
    })
    return running
  }
}
