import type { SubscriptionRow } from './store.ts'

type Schedule = Pick<SubscriptionRow, 'frequency' | 'hour'>

/** Returns the first time of the schedule after `after`, by the calendar of the time zone. */
export function nextDeliveryDate(
  { frequency, hour }: Schedule,
  zone: string,
  after: Temporal.Instant,
): string {
  const today = after.toZonedDateTimeISO(zone).toPlainDate()
  const at = (date: Temporal.PlainDate) =>
    date.toZonedDateTime({ timeZone: zone, plainTime: Temporal.PlainTime.from({ hour }) })
  let date = firstFrom(frequency, today)
  // an hour that daylight saving time skips becomes the next one
  while (at(date).epochMilliseconds <= after.epochMilliseconds) {
    date = firstFrom(frequency, date.add({ days: 1 }))
  }
  return new Date(at(date).epochMilliseconds).toISOString()
}

/** Returns this day, or the next one of the schedule. */
function firstFrom(frequency: Schedule['frequency'], date: Temporal.PlainDate): Temporal.PlainDate {
  if (frequency === 'weekly') return date.add({ days: (8 - date.dayOfWeek) % 7 })
  if (frequency === 'monthly' && date.day > 1) return date.with({ day: 1 }).add({ months: 1 })
  return date
}
