import dayjs from 'dayjs'
import relativeTime from 'dayjs/plugin/relativeTime'
import classes from './list.module.css'

dayjs.extend(relativeTime)

/** As `When`, for hundreds of rows: a tooltip of its own in each would be most of the work of drawing them. */
export function Ago({ time }: { readonly time: string | undefined }) {
  const moment = dayjs(time)
  return (
    <time
      dateTime={time}
      title={moment.format('D MMM YYYY, HH:mm:ss')}
      className={`${classes.ago} ${classes.widest}`}
    >
      {moment.fromNow()}
    </time>
  )
}
