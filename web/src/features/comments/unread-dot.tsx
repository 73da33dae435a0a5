import { VisuallyHidden } from '@mantine/core'
import { pluralize } from '#model/pluralize.ts'
import { useUnreadMentions } from './api.ts'
import classes from './comments.module.css'

/** Marks the button of the account menu while there are mentions that the user has not read. */
export function UnreadDot() {
  const count = useUnreadMentions()
  if (count === 0) return null
  return (
    <>
      <span className={classes.dot} />
      <VisuallyHidden role="status">{pluralize(count, 'unread mention')}</VisuallyHidden>
    </>
  )
}
