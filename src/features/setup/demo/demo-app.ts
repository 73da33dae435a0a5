/** The built-in import app that generates demo data. */
export const DEMO_APP = 4

/** The value of `$host` in every demo event. The domain is reserved for examples, so no real event has it. */
export const DEMO_HOST = { key: '$host', value: 'fieldnotes.example.com' } as const

const DAY_MS = 86_400_000

/** Returns noon of the day of the launch in the demo events: the last Tuesday at least three weeks ago. */
export function findLaunchDay(now: number): Date {
  const latest = Math.floor(now / DAY_MS) - 21
  return new Date((latest - ((latest + 2) % 7)) * DAY_MS + DAY_MS / 2)
}
