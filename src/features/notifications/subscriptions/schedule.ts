import type { SubscriptionRow } from './store.ts'

type Schedule = Pick<SubscriptionRow, 'frequency' | 'hour'>

/** The first time after `after` that the calendar of the time zone says so. */
export function nextDeliveryDate(
  { frequency, hour }: Schedule,
  zone: string,
  after: Temporal.Instant,
): string {
  const today = after.toZonedDateTimeISO(zone).toPlainDate()
  const at = (date: Temporal.PlainDate) =>
    date.toZonedDateTime({ timeZone: zone, plainTime: Temporal.PlainTime.from({ hour }) })
  let date = firstFrom(frequency, today)
  // an hour that a clock skips is the next one there is
  while (at(date).epochMilliseconds <= after.epochMilliseconds) {
    date = firstFrom(frequency, date.add({ days: 1 }))
  }
  return new Date(at(date).epochMilliseconds).toISOString()
}

/** This day, or the next that is one of the schedule's. */
function firstFrom(frequency: Schedule['frequency'], date: Temporal.PlainDate): Temporal.PlainDate {
  if (frequency === 'weekly') return date.add({ days: (8 - date.dayOfWeek) % 7 })
  if (frequency === 'monthly' && date.day > 1) return date.with({ day: 1 }).add({ months: 1 })
  return date
}
