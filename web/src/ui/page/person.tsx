import { IconUser } from '@tabler/icons-react'
import { toVisitorName } from '#model/names/visitor-name.ts'
import classes from './person.module.css'
import { UserAvatar } from './user-avatar.tsx'

interface Named {
  readonly name: string
  readonly properties: Readonly<Record<string, unknown>>
  readonly is_identified?: boolean
}

/**
 * Returns the name that a person goes by, or else what the server names the person by: an address, or an ID. A visitor
 * with a made-up ID has a short name.
 */
export function toShownName({ name, properties, is_identified }: Named): string {
  const own = properties.name ?? properties.Name
  if (typeof own === 'string' && own.trim() !== '') return own
  return (is_identified ? undefined : toVisitorName(name)) ?? name
}

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
