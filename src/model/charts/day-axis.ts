import { MONTHS, shortDay } from '../format.ts'
import { labelInterval } from './parts.ts'

/** The numbers of intervals between labels that end at round times. */
const STEPS: Readonly<Record<string, readonly number[]>> = {
  minute: [1, 2, 5, 10, 15, 30, 60, 120, 180, 360, 720, 1440],
  hour: [1, 2, 3, 6, 12, 24, 48, 72, 168],
}

interface DayAxis {
  /** The number of intervals that are left out after each label. */
  readonly skipped: number
  readonly labels: readonly string[]
}

/**
 * Chooses the labels of a time axis. A label names the date, the month or the year only where it differs from that of
 * the label before, so that no text is there twice.
 */
export function toDayAxis(
  days: readonly string[],
  interval: unknown,
  { width, isLine }: { readonly width: number; readonly isLine: boolean },
): DayAxis {
  const whole = days.map((day) => shortDay(day, interval))
  const wanted = labelInterval(whole, width, isLine) + 1
  const step = STEPS[String(interval)]?.find((each) => each >= wanted) ?? wanted
  const taken = new Set<string>()
  const labels = days.map((day, at) => {
    if (at % step !== 0) return ''
    const text = toText(day, at === 0 ? undefined : days[at - step], interval)
    const longer = [text, whole[at], `${whole[at]} ${day.slice(0, 4)}`] as string[]
    const label = longer.find((each) => !taken.has(each)) as string
    taken.add(label)
    return label
  })
  return { skipped: step - 1, labels }
}

/** Names a day after the one before it. Texts that are not days stay as they are. */
function toText(day: string, before: string | undefined, interval: unknown): string {
  const whole = shortDay(day, interval)
  if (!/^\d{4}-\d{2}-\d{2}/.test(day)) return whole
  const isNewYear = before !== undefined && before.slice(0, 4) !== day.slice(0, 4)
  if (interval === 'month') {
    const name = MONTHS[Number(day.slice(5, 7)) - 1] ?? whole
    return before === undefined || isNewYear ? whole : name
  }
  const time = day.slice(11, 16)
  if ((interval !== 'hour' && interval !== 'minute') || !time) {
    return isNewYear ? `${whole} ${day.slice(0, 4)}` : whole
  }
  if (time === '00:00') return shortDay(day, 'day')
  return before?.slice(0, 10) === day.slice(0, 10) ? time : whole
}
