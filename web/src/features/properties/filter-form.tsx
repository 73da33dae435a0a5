import { Button, Stack } from '@mantine/core'
import { useState } from 'react'
import { FilterRow } from './filter-row.tsx'
import { isComplete, NEW_FILTER, type SavedFilter } from './filters-model.ts'

const INSIDE = { withinPortal: false }

export interface FilterFormProps {
  readonly onAdd: (filter: SavedFilter) => void
  readonly onCancel: () => void
}

export function FilterForm({ onAdd, onCancel }: FilterFormProps) {
  const [filter, setFilter] = useState<SavedFilter>(NEW_FILTER)
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault()
        if (isComplete(filter)) onAdd(filter)
      }}
      onKeyDown={({ key, target }) => {
        const isListOpen = (target as HTMLElement).getAttribute('aria-expanded') === 'true'
        if (key === 'Escape' && !isListOpen) onCancel()
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
