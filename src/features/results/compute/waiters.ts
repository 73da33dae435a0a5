/** A reference count of the clients that wait for a computation. */
export interface Waiters {
  /** Aborts when the last client leaves. */
  readonly signal: AbortSignal
  /** Adds a client that leaves when `leaving` aborts, or never. Returns false if all have left before. */
  add(leaving: AbortSignal | undefined): boolean
  /** Removes all clients. */
  end(): void
}

export function createWaiters(first: AbortSignal | undefined): Waiters {
  const left = new AbortController()
  let count = 0

  function add(leaving: AbortSignal | undefined): boolean {
    if (left.signal.aborted) return false
    count++
    const leave = () => {
      count--
      if (count === 0) left.abort(leaving?.reason)
    }
    if (leaving?.aborted) leave()
    else leaving?.addEventListener('abort', leave, { once: true })
    return true
  }

  add(first)
  return { signal: left.signal, add, end: () => left.abort(new Error('The server is stopping.')) }
}
