import { Select, type SelectProps } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import { useState } from 'react'
import { kindOf } from '#model/query-kinds/index.ts'
import { useInsightOptions } from './api.ts'

interface InsightSelectProps extends SelectProps {
  /** Offers only insights that an alert can watch. */
  readonly forAlert?: boolean
}

/** Searches insights on the server. */
export function InsightSelect({ forAlert = false, ...props }: InsightSelectProps) {
  const [search, setSearch] = useState('')
  const [debounced] = useDebouncedValue(search, 200)
  const insights = useInsightOptions(debounced)
  const options = (insights.data?.results ?? []).filter(
    ({ query }) => !forAlert || kindOf(query)?.alert,
  )
  return (
    <Select
      label="Insight"
      placeholder="Search insights"
      searchable
      nothingFoundMessage={insights.isPending ? 'Searching…' : 'No matching insights'}
      data={options.map(({ id, name, derived_name }) => ({
        value: `${id}`,
        label: name || derived_name || `Insight ${id}`,
      }))}
      filter={({ options }) => options}
      onSearchChange={setSearch}
      {...props}
    />
  )
}
