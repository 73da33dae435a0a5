import { IconRosetteDiscountCheckFilled } from '@tabler/icons-react'
import classes from './verified-mark.module.css'

/** Marks a definition that the team has verified. */
export const VerifiedMark = () => (
  <IconRosetteDiscountCheckFilled
    className={classes.mark}
    size={14}
    role="img"
    aria-label="Verified"
  />
)
