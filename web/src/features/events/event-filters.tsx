import { Loader } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import { IconUser } from '@tabler/icons-react'
import { useState } from 'react'
import { FilterBar, FilterSelect, FilterSpan, FilterText } from '../../ui/list/filter-bar.tsx'
import { useEventDefinitions } from './api.ts'
import type { EventsSearch } from './search.ts'

const SPANS = [
  { value: '1', label: 'Last hour' },
  { value: '24', label: 'Last 24 hours' },
  { value: '168', label: 'Last 7 days' },
  { value: '720', label: 'Last 30 days' },
]

interface FiltersProps {
  readonly search: EventsSearch
  readonly onChange: (search: EventsSearch) => void
}

export function EventFilters({ search, onChange }: FiltersProps) {
  const change = (part: EventsSearch) => onChange({ ...search, ...part })
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
    </FilterBar>
  )
}

interface EventSelectProps {
  readonly value: string | undefined
  readonly onChange: (event: string | undefined) => void
}

/** Searches on the server, since there may be thousands of names. */
export function EventSelect({ value, onChange }: EventSelectProps) {
  const [typed, setTyped] = useState('')
  const [words] = useDebouncedValue(typed === value ? '' : typed, 200)
  const { data = [], isFetching } = useEventDefinitions(words)
  const names = data.map(({ name }) => name)
  return (
    <FilterSelect
      label="Event"
      placeholder="All events"
      data={value && !names.includes(value) ? [value, ...names] : names}
      filter={({ options }) => options}
      searchable
      searchValue={typed}
      onSearchChange={setTyped}
      value={value}
      onChange={onChange}
      nothingFoundMessage={isFetching ? 'Searching…' : 'No matching events'}
      rightSection={isFetching && typed !== '' ? <Loader size={14} /> : undefined}
      maxDropdownHeight={320}
      flex="1 1 220px"
    />
  )
}
