import { MONTHS } from '#model/format.ts'

const two = (part: number): string => String(part).padStart(2, '0')

/** `15 Nov 2026, 12:30:00`, where the browser is. Not by `Intl`: its first use takes 25 ms of a page. */
export function toExactTime(time: string | number): string {
  const date = new Date(time)
  const day = `${date.getDate()} ${MONTHS[date.getMonth()]} ${date.getFullYear()}`
  return `${day}, ${[date.getHours(), date.getMinutes(), date.getSeconds()].map(two).join(':')}`
}
