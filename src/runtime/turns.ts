/** Work of the same key follows one after the other; that of different keys does not wait. */
export function createTurns<K>(): <T>(key: K, work: () => Promise<T>) => Promise<T> {
  const last = new Map<K, Promise<unknown>>()
  return async (key, work) => {
    const before = last.get(key)
    const own = (before ?? Promise.resolve()).then(work)
    const settled = own.catch(() => {})
    last.set(key, settled)
    try {
      return await own
    } finally {
      if (last.get(key) === settled) last.delete(key)
    }
  }
}

/** At most so many at a time; the others wait. */
export function createGate(most: number): <T>(work: () => Promise<T>) => Promise<T> {
  const waiting: (() => void)[] = []
  let inside = 0
  return async (work) => {
    if (inside >= most) await new Promise<void>((resolve) => waiting.push(resolve))
    else inside += 1
    try {
      return await work()
    } finally {
      const next = waiting.shift()
      if (next) next()
      else inside -= 1
    }
  }
}
