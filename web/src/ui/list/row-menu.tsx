import { IconDots } from '@tabler/icons-react'
import type { ReactNode } from 'react'
import { LazyMenu } from '../page/lazy-menu.tsx'
import { RowButton } from './row-button.tsx'

interface RowMenuProps {
  readonly label: string
  /** Renders the menu items. */
  readonly children: () => ReactNode
}

export const RowMenu = ({ label, children }: RowMenuProps) => (
  <LazyMenu
    width={200}
    button={
      <RowButton aria-label={label}>
        <IconDots size={18} />
      </RowButton>
    }
  >
    {children}
  </LazyMenu>
)
