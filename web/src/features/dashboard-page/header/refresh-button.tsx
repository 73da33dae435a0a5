import { ActionIcon, Button, Menu, Tooltip } from '@mantine/core'
import { IconCheck, IconChevronDown, IconRefresh } from '@tabler/icons-react'
import { useNavigate } from '@tanstack/react-router'
import type { Dashboard } from '#server/features/dashboards/dashboards/schema.ts'
import type { DashboardSearch } from '../../dashboard-list/search.ts'
import { Ago } from '../tile/ago.tsx'
import { isComputing, oldestRefresh } from '../tile/state.ts'

/** Seconds and label. */
const CHOICES: readonly (readonly [number | undefined, string])[] = [
  [undefined, 'On new events'],
  [30, 'Every 30 seconds'],
  [60, 'Every minute'],
  [300, 'Every 5 minutes'],
  [900, 'Every 15 minutes'],
]

interface RefreshButtonProps {
  readonly dashboard: Dashboard
  readonly search: DashboardSearch
  readonly isRefreshing: boolean
  readonly onRefresh: () => void
}

export function RefreshButton({
  dashboard: { tiles },
  search,
  isRefreshing,
  onRefresh,
}: RefreshButtonProps) {
  const oldest = oldestRefresh(tiles)
  return (
    <Button.Group>
      <Tooltip label={oldest ? <Ago time={oldest} prefix="Computed" /> : 'Not computed yet'}>
        <Button
          size="xs"
          variant="default"
          leftSection={<IconRefresh size={16} />}
          aria-label="Refresh" // while it loads, the text is hidden from assistive technology too
          loading={isRefreshing || tiles.some(isComputing)}
          onClick={onRefresh}
        >
          Refresh
        </Button>
      </Tooltip>
      <Menu>
        <Menu.Target>
          <ActionIcon variant="default" size={30} aria-label="Auto-refresh">
            <IconChevronDown size={14} />
          </ActionIcon>
        </Menu.Target>
        <Menu.Dropdown>
          <Menu.Label>Auto-refresh</Menu.Label>
          <RefreshChoices chosen={search.refresh} />
        </Menu.Dropdown>
      </Menu>
    </Button.Group>
  )
}

export function RefreshChoices({ chosen }: { readonly chosen: number | undefined }) {
  const navigate = useNavigate()
  return CHOICES.map(([refresh, label]) => (
    <Menu.Item
      key={label}
      rightSection={chosen === refresh && <IconCheck size={14} aria-label="Selected" />}
      onClick={() =>
        void navigate({ to: '.', search: (before) => ({ ...before, refresh }), replace: true })
      }
    >
      {label}
    </Menu.Item>
  ))
}
