import { toAgo } from '#model/ago.ts'
import { toExactTime } from '../exact-time.ts'
import classes from './list.module.css'

/** As `When`, for hundreds of rows: a tooltip of its own in each would be most of the work of drawing them. */
export function Ago({ time = Date.now() }: { readonly time: string | number | undefined }) {
  return (
    <time
      dateTime={new Date(time).toISOString()}
      title={toExactTime(time)}
      className={`${classes.ago} ${classes.widest}`}
    >
      {toAgo(time)}
    </time>
  )
}
