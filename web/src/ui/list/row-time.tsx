import { TimeAgo } from '../page/time-ago.tsx'
import classes from './list.module.css'

/** The last column of a list row; hidden on narrow screens. */
export const RowTime = ({ time = Date.now() }: { readonly time: string | number | undefined }) => (
  <TimeAgo time={time} className={`${classes.ago} ${classes.widest}`} />
)
