import { Avatar } from '@mantine/core'

interface UserAvatarProps {
  readonly name: string
  readonly size?: number
}

/** Shows the first letter of a user's name. */
export const UserAvatar = ({ name, size = 32 }: UserAvatarProps) => (
  <Avatar size={size} radius="xl" color="hedge" aria-hidden>
    {name.charAt(0).toUpperCase()}
  </Avatar>
)
