import { Button, Menu } from '@mantine/core'
import { useDisclosure, useHotkeys } from '@mantine/hooks'
import { IconBraces, IconChevronDown, IconPlus } from '@tabler/icons-react'
import type { ReactNode } from 'react'

interface NewMenuProps {
  readonly label: string
  readonly variant?: 'default'
  readonly onJson: () => void
  /** The other menu items. */
  readonly children: ReactNode
}

/** The ways to create something, with JSON as the last; `n` opens the menu. */
export function NewMenu({ label, variant, onJson, children }: NewMenuProps) {
  const [isOpen, menu] = useDisclosure()
  useHotkeys([['n', menu.open]])
  return (
    <Menu opened={isOpen} onChange={(opens) => (opens ? menu.open() : menu.close())}>
      <Menu.Target>
        <Button
          variant={variant}
          leftSection={<IconPlus size={16} />}
          rightSection={<IconChevronDown size={14} />}
        >
          {label}
        </Button>
      </Menu.Target>
      <Menu.Dropdown>
        {children}
        <Menu.Item leftSection={<IconBraces size={16} />} onClick={onJson}>
          From JSON
        </Menu.Item>
      </Menu.Dropdown>
    </Menu>
  )
}
