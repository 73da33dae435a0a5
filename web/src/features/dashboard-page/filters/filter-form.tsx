import { Button, Stack } from '@mantine/core'
import { useEffect, useRef, useState } from 'react'
import type { SearchFilter } from '../../dashboard-list/search.ts'
import { FilterRow } from '../../properties/filter-row.tsx'
import { isComplete, NEW_FILTER } from '../../properties/filters-model.ts'

const INSIDE = { withinPortal: false }

export function FilterForm({ onAdd }: { readonly onAdd: (filter: SearchFilter) => void }) {
  const [filter, setFilter] = useState<SearchFilter>(NEW_FILTER)
  const form = useRef<HTMLFormElement>(null)
  // the popover has looked for a field to focus before this code was loaded
  useEffect(() => form.current?.querySelector('input')?.focus(), [])
  return (
    <form
      ref={form}
      onSubmit={(event) => {
        event.preventDefault()
        if (isComplete(filter)) onAdd(filter)
      }}
    >
      <Stack gap="xs">
        <FilterRow filter={filter} dropdown={INSIDE} onChange={setFilter} />
        <Button size="xs" type="submit" disabled={!isComplete(filter)}>
          Apply filter
        </Button>
      </Stack>
    </form>
  )
}
