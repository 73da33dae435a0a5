import { toWallClock } from '../page/zone.ts'

/** Writes a moment as a picker of times does, by a clock in the zone: `2026-03-01 13:00:00`. */
export const toClockText = (time: string | Date, zone: string | undefined): string =>
  toWallClock(time, zone).toISOString().slice(0, 19).replace('T', ' ')
