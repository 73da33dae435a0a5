import { Select } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import { type ReactNode, useState } from 'react'
import { useDashboardSearch } from './api.ts'
import { dashboardName } from './dashboard-row.tsx'

interface DashboardSelectProps {
  readonly label: string
  readonly description?: string
  readonly error?: ReactNode
  readonly value: number | null
  readonly onChange: (id: number | null) => void
}

/** Lets the server search, because a project may have thousands of dashboards. */
export function DashboardSelect({ value, onChange, ...field }: DashboardSelectProps) {
  const [text, setText] = useState('')
  const [search] = useDebouncedValue(text.trim(), 200)
  const chosen = useDashboardSearch('').data?.results
  // the field shows the name of the selected dashboard, which is not a search
  const isChosen = chosen?.some((item) => item.id === value && dashboardName(item) === search)
  const found = useDashboardSearch(isChosen ? '' : search)
  return (
    <Select
      {...field}
      placeholder="Search dashboards"
      required
      searchable
      data={(found.data?.results ?? []).map((item) => ({
        value: `${item.id}`,
        label: dashboardName(item),
      }))}
      filter={({ options }) => options}
      nothingFoundMessage={found.isFetching ? 'Searching…' : 'No dashboards match'}
      searchValue={text}
      onSearchChange={setText}
      value={value === null ? null : `${value}`}
      onChange={(id) => onChange(id === null ? null : Number(id))}
    />
  )
}
