import { useZone } from '../../ui/page/zone.ts'
import { toZonedDay } from '../../ui/page/zoned-day.ts'

/** The time of an event, as short as the date allows. */
export function EventTime({ time }: { readonly time: string }) {
  const zone = useZone()
  const moment = toZonedDay(time, zone)
  const today = toZonedDay(Date.now(), zone)
  const isThisYear = moment.isSame(today, 'year')
  const format = moment.isSame(today, 'day')
    ? 'HH:mm:ss'
    : isThisYear
      ? 'D MMM, HH:mm:ss'
      : 'D MMM YYYY, HH:mm'
  return (
    <time dateTime={time} title={moment.format('D MMM YYYY, HH:mm:ss.SSS')}>
      {moment.format(format)}
    </time>
  )
}
