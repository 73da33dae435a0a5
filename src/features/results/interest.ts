/** Everyone who waits for a computation. */
export interface Interest {
  /** Aborts when everyone has left. */
  readonly signal: AbortSignal
  /** Adds someone who leaves when `waiting` aborts, or never. Returns false if everyone has left before. */
  add(waiting: AbortSignal | undefined): boolean
  /** Sends everyone away. */
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
