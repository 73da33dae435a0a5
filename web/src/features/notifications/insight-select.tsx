import { Select, type SelectProps } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import { useState } from 'react'
import { useInsightOptions } from './api.ts'

/** Searches insights on the server. */
export function InsightSelect(props: SelectProps) {
  const [search, setSearch] = useState('')
  const [debounced] = useDebouncedValue(search, 200)
  const insights = useInsightOptions(debounced)
  return (
    <Select
      label="Insight"
      placeholder="Search insights"
      searchable
      nothingFoundMessage={insights.isPending ? 'Searching…' : 'No matching insights'}
      data={(insights.data?.results ?? []).map(({ id, name, derived_name }) => ({
        value: `${id}`,
        label: name || derived_name || `Insight ${id}`,
      }))}
      filter={({ options }) => options}
      onSearchChange={setSearch}
      {...props}
    />
  )
}
