import { Group, Pill, Text } from '@mantine/core'
import type { Dashboard } from '#server/features/dashboards/dashboards/schema.ts'
import { datesLabel } from '../../../ui/form/date-ranges.ts'
import { FilterPills } from '../../properties/filter-pills.tsx'
import { savedDates, savedProperties } from './override.ts'

/** Shows viewers of the project which filters a dashboard has, which they cannot change. */
export function SavedFilters({ dashboard }: { readonly dashboard: Dashboard }) {
  const dates = savedDates(dashboard)
  const filters = savedProperties(dashboard)
  const hasDates = dates.date_from !== undefined || dates.date_to !== undefined
  if (!hasDates && filters.length === 0) return null
  return (
    <Group gap="xs" mb="md">
      <Text size="sm" c="dimmed">
        Filtered by
      </Text>
      {hasDates && <Pill size="md">{datesLabel(dates, '')}</Pill>}
      <FilterPills filters={filters} onRemove={undefined} />
    </Group>
  )
}
