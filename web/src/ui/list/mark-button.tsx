import type { ReactNode } from 'react'
import { RowButton } from './row-button.tsx'

interface MarkButtonProps {
  readonly isMarked: boolean
  readonly label: string
  readonly disabled: boolean
  readonly onClick: () => void
  readonly children: ReactNode
}

/** A pin or star toggle at the end of a row. */
export const MarkButton = ({ isMarked, label, ...button }: MarkButtonProps) => (
  <RowButton aria-label={label} aria-pressed={isMarked} {...button} />
)
