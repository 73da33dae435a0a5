import { toAgo } from '#model/ago.ts'
import { toExactTime } from '../exact-time.ts'
import classes from './list.module.css'

/** Like `When`, without a tooltip: in hundreds of rows it would dominate rendering. */
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
