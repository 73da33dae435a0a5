const NONE = '0s'

/** Returns milliseconds. Adds to the problems. */
export function toStopDelay(text = NONE, problems: string[]): number {
  const [, seconds] = /^(\d{1,3})s$/.exec(text) ?? []
  if (seconds === undefined)
    problems.push(`HEDGEROW_STOP_DELAY must be like 0s, 5s or 30s, not "${text}".`)
  return Number(seconds ?? 0) * 1000
}
