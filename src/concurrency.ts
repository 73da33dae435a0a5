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

/** Rejects with `error()` after `ms` if the task has not settled by then. The task itself goes on, its failure unheard. */
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
