import { MONTHS } from '#model/format.ts'

const twoDigits = (part: number): string => String(part).padStart(2, '0')

/** Formats local time as `15 Nov 2026, 12:30:00`. Avoids `Intl`, whose first use costs 25 ms. */
export function toExactTime(time: string | number): string {
  const date = new Date(time)
  const day = `${date.getDate()} ${MONTHS[date.getMonth()]} ${date.getFullYear()}`
  return `${day}, ${[date.getHours(), date.getMinutes(), date.getSeconds()].map(twoDigits).join(':')}`
}
