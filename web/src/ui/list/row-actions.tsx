import { Menu } from '@mantine/core'
import { IconCopy, IconExternalLink, IconRestore, IconTag, IconTrash } from '@tabler/icons-react'
import type { ReactNode } from 'react'

interface RowActionsProps {
  readonly isDeleted: boolean
  /** The user may view the item, but not edit it. */
  readonly isLocked: boolean
  readonly onOpen: () => void
  /** undefined: the user may create none. */
  readonly onDuplicate: (() => void) | undefined
  readonly onEditTags: () => void
  /** Moves to trash, or restores. */
  readonly onTrash: () => void
  /** Further menu items. */
  readonly children: ReactNode
}

/** The menu items that all lists have in common. */
export function RowActions({ isDeleted, isLocked, children, ...props }: RowActionsProps) {
  if (isDeleted) {
    return (
      <Menu.Item
        leftSection={<IconRestore size={16} />}
        disabled={isLocked}
        onClick={props.onTrash}
      >
        Restore
      </Menu.Item>
    )
  }
  return (
    <>
      <Menu.Item leftSection={<IconExternalLink size={16} />} onClick={props.onOpen}>
        Open
      </Menu.Item>
      {props.onDuplicate && (
        <Menu.Item leftSection={<IconCopy size={16} />} onClick={props.onDuplicate}>
          Duplicate
        </Menu.Item>
      )}
      <Menu.Item leftSection={<IconTag size={16} />} disabled={isLocked} onClick={props.onEditTags}>
        Edit tags
      </Menu.Item>
      {children}
      <Menu.Divider />
      <Menu.Item
        color="red"
        leftSection={<IconTrash size={16} />}
        disabled={isLocked}
        onClick={props.onTrash}
      >
        Move to trash
      </Menu.Item>
    </>
  )
}
