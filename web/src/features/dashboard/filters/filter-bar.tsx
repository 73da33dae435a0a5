import { Button, Group } from '@mantine/core'
import { IconDeviceFloppy, IconX } from '@tabler/icons-react'
import { useNavigate } from '@tanstack/react-router'
import { useCallback } from 'react'
import type { Dashboard } from '#server/features/dashboards/dashboards/schema.ts'
import type { DashboardSearch } from '../../dashboards/search.ts'
import { useDashboardContext } from '../context.ts'
import { DateRange } from './date-range.tsx'
import { isOverridden, savedDates, toDefaults } from './override.ts'
import { PropertyFilters } from './property-filters.tsx'
import { Variables } from './variables.tsx'

interface FilterBarProps {
  readonly dashboard: Dashboard
  readonly search: DashboardSearch
}

const NOTHING: DashboardSearch = {
  date_from: undefined,
  date_to: undefined,
  properties: undefined,
  variables: undefined,
}

/** What all tiles are asked about. It is in the address, so that it can be sent to somebody. */
export function FilterBar({ dashboard, search }: FilterBarProps) {
  const { editor, canEdit } = useDashboardContext()
  const navigate = useNavigate()
  const say = useCallback(
    (change: DashboardSearch) =>
      void navigate({ to: '.', search: (before) => ({ ...before, ...change }) }),
    [navigate],
  )
  /** There is nothing to say over the dashboard's dates: they go. */
  const removeDates = () => {
    const { date_from: _, date_to: __, ...filters } = dashboard.filters as Record<string, unknown>
    editor.edit('Removed the dates', { fields: { filters } })
  }
  const hasDates = search.date_from !== undefined || search.date_to !== undefined
  return (
    <Group gap="xs" mb="md">
      <DateRange
        range={hasDates ? search : savedDates(dashboard)}
        onChange={(range) => {
          const isNone = range.date_from === undefined && range.date_to === undefined
          if (isNone && canEdit && savedDates(dashboard).date_from) removeDates()
          say(range)
        }}
      />
      <PropertyFilters dashboard={dashboard} search={search} onChange={say} />
      <Variables dashboard={dashboard} search={search} onChange={say} />
      {isOverridden(search) && (
        <>
          <Button
            size="compact-sm"
            variant="subtle"
            color="gray"
            leftSection={<IconX size={14} />}
            onClick={() => say(NOTHING)}
          >
            Reset
          </Button>
          {canEdit && (
            <Button
              size="compact-sm"
              variant="light"
              leftSection={<IconDeviceFloppy size={14} />}
              onClick={() => {
                editor.edit('Changed the filters', { fields: toDefaults(dashboard, search) })
                say(NOTHING)
              }}
            >
              Save as default
            </Button>
          )}
        </>
      )}
    </Group>
  )
}
