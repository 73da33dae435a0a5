import { Loader } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import { IconUser } from '@tabler/icons-react'
import { useState } from 'react'
import { toEventLabel } from '#model/names/event-label.ts'
import { renderName, scrollingList } from '../../ui/form/name-options.tsx'
import { FilterBar, FilterSelect, FilterSpan, FilterText } from '../../ui/list/filter-bar.tsx'
import { useEventDefinitions } from '../definitions/api.ts'
import { toEventOption } from '../definitions/name-option.ts'
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
      <EventSelect value={search.event} onChange={(event) => change({ event })} />
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

interface EventSelectProps {
  /** Shown while no event is chosen. */
  readonly placeholder?: string
  readonly value: string | undefined
  readonly onChange: (event: string | undefined) => void
}

/** Searches on the server, since there may be thousands of names. */
export function EventSelect({ placeholder = 'All events', value, onChange }: EventSelectProps) {
  const [typed, setTyped] = useState('')
  const shown = value === undefined ? '' : toEventLabel(value)
  const [words] = useDebouncedValue(typed === shown ? '' : typed, 200)
  const { data = [], isFetching } = useEventDefinitions(words)
  const listed = new Map(data.map((each) => [each.name, each]))
  const names = new Set([...(value ? [value] : []), ...listed.keys()])
  return (
    <FilterSelect
      label="Event"
      placeholder={placeholder}
      title={shown === value ? undefined : value}
      data={[...names].map((name) => toEventOption(name, listed.get(name)))}
      renderOption={renderName}
      filter={({ options }) => options}
      searchable
      searchValue={typed}
      onSearchChange={setTyped}
      value={value}
      onChange={onChange}
      nothingFoundMessage={isFetching ? 'Searching…' : 'No matching events'}
      rightSection={isFetching && typed !== '' ? <Loader size={14} /> : undefined}
      {...scrollingList}
      flex="1 1 220px"
    />
  )
}
