import { MONTHS } from '#model/format.ts'
import { toWallClock } from './zone.ts'

const twoDigits = (part: number): string => String(part).padStart(2, '0')

/** Formats a time as `15 Nov 2026, 12:30:00`. */
export function toExactTime(time: string | number, zone: string | undefined): string {
  const date = toWallClock(time, zone)
  const day = `${date.getUTCDate()} ${MONTHS[date.getUTCMonth()]} ${date.getUTCFullYear()}`
  const parts = [date.getUTCHours(), date.getUTCMinutes(), date.getUTCSeconds()]
  return `${day}, ${parts.map(twoDigits).join(':')}`
}
