/** Returns the delay in ms before the next action of this cost. 0 means none. */
export type RateLimit = (cost: number) => number

/** A token bucket: a burst of one second's tokens, refilled at `perSecond`. */
export function createRateLimit(
  perSecond: number,
  now: () => number = () => performance.now(),
): RateLimit {
  let tokens = perSecond
  let last = now()
  return (cost) => {
    const time = now()
    tokens = Math.min(perSecond, tokens + ((time - last) / 1000) * perSecond) - cost
    last = time
    return tokens >= 0 ? 0 : (-tokens / perSecond) * 1000
  }
}
