import { IconUser } from '@tabler/icons-react'
import { FilterBar, FilterSpan, FilterText } from '../../ui/list/filter-bar.tsx'
import { EventOrActionSelect, toEventSearch } from '../actions/event-select.tsx'
import { AddFilter } from '../properties/add-filter.tsx'
import { FilterForm } from '../properties/filter-form.tsx'
import { FilterPills } from '../properties/filter-pills.tsx'
import type { SavedFilter } from '../properties/filters-model.ts'
import type { EventFilters as Filters } from './search.ts'

const SPANS = [
  { value: '1', label: 'Last hour' },
  { value: '24', label: 'Last 24 hours' },
  { value: '168', label: 'Last 7 days' },
  { value: '720', label: 'Last 30 days' },
]

interface FiltersProps {
  readonly filters: Filters
  readonly onChange: (filters: Filters) => void
}

export function EventFilters({ filters: search, onChange }: FiltersProps) {
  const change = (part: Filters) => onChange({ ...search, ...part })
  const { properties = [] } = search
  const setProperties = (next: readonly SavedFilter[]) =>
    change({ properties: next.length > 0 ? next : undefined })
  return (
    <FilterBar search={search} onClear={() => onChange({})}>
      <EventOrActionSelect
        value={search.action ?? search.event}
        onChange={(chosen) => change(toEventSearch(chosen))}
      />
      <FilterText
        label="Distinct ID"
        placeholder="Distinct ID"
        leftSection={<IconUser size={14} aria-hidden />}
        value={search.distinct_id}
        onChange={(distinct_id) => change({ distinct_id })}
        flex="1 1 180px"
      />
      <FilterSpan spans={SPANS} value={search.hours} onChange={(hours) => change({ hours })} />
      <FilterPills
        filters={properties}
        onRemove={(removed) => setProperties(properties.filter((one) => one !== removed))}
      />
      <AddFilter Form={FilterForm} onAdd={(filter) => setProperties([...properties, filter])} />
    </FilterBar>
  )
}
