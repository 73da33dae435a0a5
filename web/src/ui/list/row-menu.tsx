import { ActionIcon, Menu } from '@mantine/core'
import { IconDots } from '@tabler/icons-react'
import { type ReactNode, useState } from 'react'

interface RowMenuProps {
  readonly label: string
  /** Menu items, rendered on first open: a list has hundreds of menus. */
  readonly children: () => ReactNode
}

export function RowMenu({ label, children }: RowMenuProps) {
  const [isOpen, setOpen] = useState<boolean>()
  const button = (
    <ActionIcon
      variant="subtle"
      color="gray"
      c="dimmed"
      aria-label={label}
      aria-haspopup="menu"
      {...(isOpen === undefined && { onClick: () => setOpen(true) })}
    >
      <IconDots size={18} />
    </ActionIcon>
  )
  if (isOpen === undefined) return button
  return (
    <Menu opened={isOpen} onChange={setOpen} width={200}>
      <Menu.Target>{button}</Menu.Target>
      <Menu.Dropdown>{children()}</Menu.Dropdown>
    </Menu>
  )
}
