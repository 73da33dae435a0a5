import dayjs from 'dayjs'

/** The time of an event, as short as the date allows. */
export function EventTime({ time }: { readonly time: string }) {
  const moment = dayjs(time)
  const isToday = moment.isSame(dayjs(), 'day')
  const isThisYear = moment.isSame(dayjs(), 'year')
  const format = isToday ? 'HH:mm:ss' : isThisYear ? 'D MMM, HH:mm:ss' : 'D MMM YYYY, HH:mm'
  return (
    <time dateTime={time} title={moment.format('D MMM YYYY, HH:mm:ss.SSS')}>
      {moment.format(format)}
    </time>
  )
}
