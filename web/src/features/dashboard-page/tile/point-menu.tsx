import { Menu, Portal } from '@mantine/core'
import { IconFilter, IconUsers } from '@tabler/icons-react'
import type { SearchFilter } from '../../dashboard-list/search.ts'
import { describeFilter } from '../../properties/filters-model.ts'

interface PointMenuProps {
  /** The place of the click in the window. */
  readonly at: readonly [number, number]
  readonly filters: readonly SearchFilter[]
  readonly onFilter: () => void
  readonly showPersons: () => void
  readonly onClose: () => void
}

export function PointMenu({
  at: [left, top],
  filters,
  onFilter,
  showPersons,
  onClose,
}: PointMenuProps) {
  return (
    <Portal>
      <Menu opened onClose={onClose} position="bottom-start" zIndex={400} returnFocus>
        <Menu.Target>
          <span style={{ position: 'fixed', left, top }} />
        </Menu.Target>
        <Menu.Dropdown maw={360}>
          <Menu.Item leftSection={<IconFilter size={16} />} onClick={onFilter}>
            Filter other tiles: {filters.map((filter) => describeFilter(filter)).join(', ')}
          </Menu.Item>
          <Menu.Item leftSection={<IconUsers size={16} />} onClick={showPersons}>
            View persons
          </Menu.Item>
        </Menu.Dropdown>
      </Menu>
    </Portal>
  )
}
