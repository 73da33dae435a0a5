import { Avatar } from '@mantine/core'
import {
  IconBraces,
  IconDatabase,
  IconFileTypeCsv,
  IconPlugConnectedX,
  IconSparkles,
} from '@tabler/icons-react'
import type { ComponentType } from 'react'

type Icon = ComponentType<{ size?: number; stroke?: number }>

/** Icons of the built-in apps. */
const BUILT_IN: Readonly<Record<string, Icon>> = {
  'HTTP JSON': IconBraces,
  CSV: IconFileTypeCsv,
  'PostgreSQL table': IconDatabase,
  'MySQL or MariaDB table': IconDatabase,
  'Demo data': IconSparkles,
}

interface AppIconProps {
  /** App name; undefined if it is not installed. */
  readonly name: string | undefined
  readonly icon?: string | null
}

/** Shows only data URLs, since the page loads nothing from other hosts. */
export function AppIcon({ name, icon }: AppIconProps) {
  if (icon?.startsWith('data:image/')) {
    return <Avatar src={icon} alt="" radius="md" size={40} />
  }
  const Icon = name === undefined ? IconPlugConnectedX : BUILT_IN[name]
  return (
    <Avatar radius="md" size={40} color={name === undefined ? 'gray' : 'hedge'} aria-hidden>
      {Icon ? <Icon size={22} stroke={1.6} /> : name?.slice(0, 1).toUpperCase()}
    </Avatar>
  )
}
