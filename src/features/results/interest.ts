/** The clients that wait for a computation. */
export interface Interest {
  /** Aborts when all clients have left. */
  readonly signal: AbortSignal
  /** Adds a client that leaves when `waiting` aborts, or never. Returns false if all have left before. */
  add(waiting: AbortSignal | undefined): boolean
  /** Removes all clients. */
  end(): void
}

export function createInterest(first: AbortSignal | undefined): Interest {
  const left = new AbortController()
  let count = 0

  function add(waiting: AbortSignal | undefined): boolean {
    if (left.signal.aborted) return false
    count++
    const leave = () => {
      count--
      if (count === 0) left.abort(waiting?.reason)
    }
    if (waiting?.aborted) leave()
    else waiting?.addEventListener('abort', leave, { once: true })
    return true
  }

  add(first)
  return { signal: left.signal, add, end: () => left.abort(new Error('The server is stopping.')) }
}
