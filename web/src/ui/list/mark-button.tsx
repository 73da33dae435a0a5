import { ActionIcon } from '@mantine/core'
import type { ReactNode } from 'react'

interface MarkButtonProps {
  readonly isMarked: boolean
  readonly label: string
  readonly disabled: boolean
  readonly loading: boolean
  readonly onClick: () => void
  readonly children: ReactNode
}

/** A pin or star toggle at the end of a row. */
export const MarkButton = ({ isMarked, label, children, ...button }: MarkButtonProps) => (
  <ActionIcon
    variant="subtle"
    color={isMarked ? 'hedge' : 'gray'}
    c={isMarked ? undefined : 'dimmed'}
    aria-label={label}
    aria-pressed={isMarked}
    {...button}
  >
    {children}
  </ActionIcon>
)
