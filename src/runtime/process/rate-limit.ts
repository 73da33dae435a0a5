/** Says how long to wait (ms) before the next thing that costs this much; 0: not at all. */
export type RateLimit = (cost: number) => number

/** As much at once as a second allows, then so much a second. */
export function createRateLimit(
  perSecond: number,
  now: () => number = () => performance.now(),
): RateLimit {
  let left = perSecond
  let last = now()
  return (cost) => {
    const time = now()
    left = Math.min(perSecond, left + ((time - last) / 1000) * perSecond) - cost
    last = time
    return left >= 0 ? 0 : (-left / perSecond) * 1000
  }
}
