import { Button, Group } from '@mantine/core'
import { IconDeviceFloppy, IconX } from '@tabler/icons-react'
import { useNavigate } from '@tanstack/react-router'
import { lazy, Suspense, useCallback } from 'react'
import type { Dashboard } from '#server/features/dashboards/dashboards/schema.ts'
import { DateRangePicker } from '../../../ui/form/date-range-picker.tsx'
import { lazyComponent } from '../../../ui/page/lazy-component.tsx'
import type { DashboardSearch } from '../../dashboard-list/search.ts'
import { useDashboardContext } from '../context.ts'
import { loadDialogs } from '../load-dialogs.ts'
import classes from '../page.module.css'
import { isOverridden, savedDates, toDefaults } from './override.ts'
import { PropertyFilters } from './property-filters.tsx'
import { VariableFields } from './variables.tsx'

const ValueFilterPill = lazyComponent(async () => (await loadDialogs()).ValueFilterPill)
const ViewsMenu = lazy(() => import('../../saved-views/views-menu.tsx'))

interface FilterBarProps {
  readonly dashboard: Dashboard
  readonly search: DashboardSearch
}

const NO_FILTERS: DashboardSearch = {
  date_from: undefined,
  date_to: undefined,
  properties: undefined,
  value: undefined,
  variables: undefined,
}

const toFilters = ({ date_from, date_to, properties, variables }: DashboardSearch) => ({
  date_from,
  date_to,
  properties,
  variables,
})

/** Filters for all tiles. They live in the URL, so the view can be shared. */
export function DashboardFilterBar({ dashboard, search }: FilterBarProps) {
  const { editor, canEdit, isKiosk } = useDashboardContext()
  const navigate = useNavigate()
  const setSearch = useCallback(
    (change: DashboardSearch) =>
      void navigate({ to: '.', search: (before) => ({ ...before, ...change }) }),
    [navigate],
  )
  /** "Each tile's dates" cannot override saved dates, so they are removed. */
  const removeDates = () => {
    const { date_from: _, date_to: __, ...filters } = dashboard.filters as Record<string, unknown>
    editor.edit('Removed the date range', { fields: { filters } })
  }
  const hasDates = search.date_from !== undefined || search.date_to !== undefined
  return (
    <Group gap="xs" className={classes.filters}>
      <DateRangePicker
        dates={hasDates ? search : savedDates(dashboard)}
        none="Each tile's dates"
        onChange={({ date_from, date_to }) => {
          if (!date_from && canEdit && savedDates(dashboard).date_from) removeDates()
          setSearch({ date_from: date_from ?? undefined, date_to: date_to ?? undefined })
        }}
      />
      <PropertyFilters dashboard={dashboard} search={search} onChange={setSearch} />
      {search.value && (
        <ValueFilterPill value={search.value} onRemove={() => setSearch({ value: undefined })} />
      )}
      <VariableFields dashboard={dashboard} search={search} onChange={setSearch} />
      {!isKiosk && (
        <Suspense>
          <ViewsMenu
            place={{ page: 'dashboard', dashboard_id: dashboard.id }}
            filters={toFilters(search)}
            canEdit={canEdit}
            size="xs"
            onShow={(filters) => setSearch({ ...NO_FILTERS, ...filters })}
          />
        </Suspense>
      )}
      {isOverridden(search) && (
        <>
          <Button
            size="compact-sm"
            variant="subtle"
            color="gray"
            leftSection={<IconX size={14} />}
            onClick={() => setSearch(NO_FILTERS)}
          >
            Reset
          </Button>
          {canEdit && (
            <Button
              size="compact-sm"
              variant="light"
              leftSection={<IconDeviceFloppy size={14} />}
              onClick={() => {
                const fields = toDefaults(dashboard, search)
                editor.edit(
                  'Saved the filters as default',
                  { fields },
                  {
                    onUndo: () => setSearch(toFilters(search)),
                    onRedo: () => setSearch(NO_FILTERS),
                  },
                )
                setSearch(NO_FILTERS)
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
