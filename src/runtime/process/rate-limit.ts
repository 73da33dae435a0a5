/** Says how long to wait (ms) before the next thing that costs this much; 0: not at all. */
export type Rate = (cost: number) => number

/** As much at once as a second allows, then so much a second. */
export function createRate(perSecond: number, now: () => number = () => performance.now()): Rate {
  let left = perSecond
  let last = now()
  return (cost) => {
    const time = now()
    left = Math.min(perSecond, left + ((time - last) / 1000) * perSecond) - cost
    last = time
    return left >= 0 ? 0 : (-left / perSecond) * 1000
  }
}
