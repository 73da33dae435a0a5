import { Tooltip } from '@mantine/core'
import { pluralize } from '#model/pluralize.ts'
import { useLiveVisitors } from './api.ts'
import classes from './web.module.css'

export function LiveVisitors() {
  const count = useLiveVisitors()
  if (count === undefined) return null
  return (
    <Tooltip label="Viewed a page in the last 5 minutes">
      <span className={classes.live} data-active={count > 0 || undefined}>
        {pluralize(count, 'visitor')} online
      </span>
    </Tooltip>
  )
}
