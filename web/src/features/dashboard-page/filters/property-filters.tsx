import type { Dashboard } from '#server/features/dashboards/dashboards/schema.ts'
import { lazyComponent } from '../../../ui/page/lazy-component.tsx'
import type { DashboardSearch, SearchFilter } from '../../dashboard-list/search.ts'
import { AddFilter } from '../../properties/add-filter.tsx'
import { useDashboardContext } from '../context.ts'
import { loadDialogs } from '../load-dialogs.ts'
import { savedProperties } from './override.ts'

const FilterPills = lazyComponent(
  async () => (await import('../../properties/filter-pills.tsx')).FilterPills,
)
const FilterForm = lazyComponent(async () => (await loadDialogs()).FilterForm)

interface PropertyFiltersProps {
  readonly dashboard: Dashboard
  readonly search: DashboardSearch
  readonly onChange: (change: Pick<DashboardSearch, 'properties'>) => void
}

/** Saved filters first, then those from the URL. */
export function PropertyFilters({ dashboard, search, onChange }: PropertyFiltersProps) {
  const { editor, canEdit } = useDashboardContext()
  const saved = savedProperties(dashboard)
  const added = search.properties ?? []
  const without = (filters: readonly SearchFilter[], one: SearchFilter) =>
    filters.filter((each) => each !== one)
  const removeSaved = (one: SearchFilter) =>
    editor.edit('Removed a filter', {
      fields: { filters: { ...dashboard.filters, properties: without(saved, one) } },
    })
  const setAdded = (properties: readonly SearchFilter[]) =>
    onChange({ properties: properties.length > 0 ? properties : undefined })
  return (
    <>
      {saved.length > 0 && (
        <FilterPills filters={saved} onRemove={canEdit ? removeSaved : undefined} />
      )}
      {added.length > 0 && (
        <FilterPills filters={added} onRemove={(filter) => setAdded(without(added, filter))} />
      )}
      <AddFilter Form={FilterForm} onAdd={(filter) => setAdded([...added, filter])} />
    </>
  )
}
