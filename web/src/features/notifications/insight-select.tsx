import { Select, type SelectProps } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import { useState } from 'react'
import { useInsightChoice } from './api.ts'

/** One of however many: what is typed is searched for by the server. */
export function InsightSelect(props: SelectProps) {
  const [search, setSearch] = useState('')
  const [asked] = useDebouncedValue(search, 200)
  const found = useInsightChoice(asked)
  return (
    <Select
      label="Insight"
      placeholder="Search your insights"
      searchable
      nothingFoundMessage={found.isPending ? 'Looking…' : 'No such insight.'}
      data={(found.data?.results ?? []).map(({ id, name, derived_name }) => ({
        value: `${id}`,
        label: name || derived_name || `Insight ${id}`,
      }))}
      filter={({ options }) => options}
      onSearchChange={setSearch}
      {...props}
    />
  )
}
