import type { CSSProperties } from 'react'
import classes from './user-avatar.module.css'

interface UserAvatarProps {
  readonly name: string
  /** Pixels. */
  readonly size?: number
}

/** Shows the first letter of a user's name, the same everywhere. */
export const UserAvatar = ({ name, size = 32 }: UserAvatarProps) => (
  <span className={classes.avatar} style={{ '--size': `${size}px` } as CSSProperties} aria-hidden>
    {name.charAt(0).toUpperCase()}
  </span>
)
