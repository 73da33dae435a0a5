import { IconUser } from '@tabler/icons-react'
import classes from './person.module.css'
import { UserAvatar } from './user-avatar.tsx'

interface PersonAvatarProps {
  readonly name: string
  /** False for a visitor of whom only an ID is known. */
  readonly isKnown: boolean
}

export const PersonAvatar = ({ name, isKnown }: PersonAvatarProps) =>
  isKnown ? (
    <UserAvatar name={name} size={20} />
  ) : (
    <IconUser className={classes.unknown} size={20} stroke={1.4} aria-hidden />
  )
