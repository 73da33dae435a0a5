import { Button, Group, Loader, Select, TextInput } from '@mantine/core'
import { useDebouncedCallback, useDebouncedValue } from '@mantine/hooks'
import { IconUser } from '@tabler/icons-react'
import { useState } from 'react'
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
  const changeSoon = useDebouncedCallback(change, 400)
  const isFiltered = Object.values(search).some((value) => value !== undefined)
  return (
    <Group gap="xs" mb="md">
      <EventSelect value={search.event} onChange={(event) => change({ event })} />
      <TextInput
        key={search.distinct_id === undefined ? 'none' : 'some'}
        aria-label="Person"
        placeholder="Person’s distinct ID"
        leftSection={<IconUser size={14} aria-hidden />}
        defaultValue={search.distinct_id}
        onChange={(event) => changeSoon({ distinct_id: event.currentTarget.value || undefined })}
        flex="1 1 180px"
      />
      <Select
        aria-label="When"
        placeholder="Any time"
        data={SPANS}
        value={search.hours ? String(search.hours) : null}
        onChange={(hours) => change({ hours: hours ? Number(hours) : undefined })}
        clearable
        flex="1 1 130px"
        maw={{ sm: 180 }}
      />
      {isFiltered && (
        <Button variant="subtle" color="gray" onClick={() => onChange({})}>
          Clear filters
        </Button>
      )}
    </Group>
  )
}

interface EventSelectProps {
  readonly value: string | undefined
  readonly onChange: (event: string | undefined) => void
}

/** The server searches: there may be thousands of names. */
function EventSelect({ value, onChange }: EventSelectProps) {
  const [typed, setTyped] = useState('')
  const [words] = useDebouncedValue(typed === value ? '' : typed, 200)
  const { data = [], isFetching } = useEventDefinitions(words)
  const names = data.map(({ name }) => name)
  return (
    <Select
      aria-label="Event"
      placeholder="All events"
      data={value && !names.includes(value) ? [value, ...names] : names}
      filter={({ options }) => options}
      searchable
      clearable
      searchValue={typed}
      onSearchChange={setTyped}
      value={value ?? null}
      onChange={(event) => onChange(event ?? undefined)}
      nothingFoundMessage={isFetching ? 'Looking…' : 'No event of this name'}
      rightSection={isFetching && typed !== '' ? <Loader size={14} /> : undefined}
      maxDropdownHeight={320}
      flex="1 1 220px"
    />
  )
}
